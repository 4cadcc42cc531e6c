/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Messages between nodes: bond, framing, switch, software.
 */
#include "hci_cluster.h"

#define FRAME_BYTES 38 /* preamble 8, Ethernet 14, FCS 4, gap 12 */
#define VLAN_BYTES 4
#define IP_TCP_BYTES 40
#define TIMESTAMP_BYTES 12
enum { TX = 1, RX = 2 }; /* which end's hash decides */

#define SEGMENT (64 * SIM_KIB) /* unit in which flows share a link */
#define SEGMENT_WINDOW 4       /* segments of one message under way at a time */

static uint64_t segment_payload(const struct hci_nic_conf *nic)
{
    return nic->mtu - IP_TCP_BYTES - (nic->timestamps ? TIMESTAMP_BYTES : 0);
}

/* Bytes on the wire for `bytes` of payload. */
static uint64_t wire_bytes(const struct hci_nic_conf *nic, uint64_t bytes)
{
    uint64_t per = segment_payload(nic), frames = (bytes + per - 1) / per;
    uint64_t overhead = nic->mtu - per + FRAME_BYTES + (nic->vlan ? VLAN_BYTES : 0);
    return bytes + (frames ? frames : 1) * overhead;
}

uint64_t hci_net_payload_Bps(const struct hci_nic_conf *nic)
{
    uint64_t per = segment_payload(nic), wire = wire_bytes(nic, per);
    return (uint64_t)((unsigned __int128)nic->speed_Bps * per / wire);
}

/* The link of a bond that carries a flow. The addresses behind the hash are not
 * known, so each pair of nodes (layer 2, layer 2+3) or connection (layer 3+4)
 * gets a fixed draw; a layout can state the outcome instead. */
static unsigned link_of(const struct hci_node *n, const struct hci_node *peer, uint32_t flow,
                        uint64_t side)
{
    const struct hci_nic_conf *nic = &n->conf->nic;
    if (n->nlinks == 1 || nic->bond == HCI_BOND_ACTIVE_BACKUP)
        return 0;
    if (nic->flows == HCI_FLOWS_COLLIDE)
        return 0;
    if (nic->flows == HCI_FLOWS_SPREAD) { /* the peer's rank among the others */
        unsigned rank = peer->index > n->index ? peer->index - 1 : peer->index;
        return (rank + (nic->hash == HCI_HASH_L34 ? flow : 0)) % n->nlinks;
    }
    uint64_t key = sim_key(side, n->index);
    if (nic->bond == HCI_BOND_BALANCE_SLB) /* by the sender's MAC: the CVM has one */
        return (unsigned)sim_below(key, n->nlinks);
    key = sim_key(key, peer->index);
    if (nic->hash == HCI_HASH_L34)
        key = sim_key(key, flow);
    return (unsigned)sim_below(key, n->nlinks);
}

/* Serialisation of one message size on one NIC: asked for again and again. */
static const struct hci_wire *wire_of(struct hci_node *n, uint64_t bytes)
{
    struct hci_wire *w = &n->wire[(uint32_t)bytes * 0x9e3779b1u >> (32 - HCI_WIRES_LOG2)];
    const struct hci_nic_conf *nic = &n->conf->nic;
    if (w->bytes != bytes || !w->all_ns) {
        w->bytes = bytes;
        w->all_ns = sim_transfer_ns(wire_bytes(nic, bytes), nic->speed_Bps);
        w->frame_ns = sim_transfer_ns(wire_bytes(nic, sim_min(bytes, segment_payload(nic))),
                                      nic->speed_Bps);
    }
    return w;
}

static sim_time software_ns(const struct hci_node *n)
{
    return n->conf->nic.transport == HCI_RDMA ? n->net.message_rdma_ns : n->net.message_tcp_ns;
}

static void wire(struct sim_plan *p, struct hci_node *from, struct hci_node *to, uint64_t bytes,
                 uint32_t tx, uint32_t rx, uint8_t part)
{
    const struct hci_wire *w = wire_of(from, bytes);
    /* The switch forwards a frame once it has it, so the receiving link starts
     * one frame and one hop after the sending one. */
    sim_visit_cut(p, tx, w->all_ns, w->frame_ns + from->net.switch_ns, part);
    sim_visit(p, rx, wire_of(to, bytes)->all_ns, 0, part);
}

void hci_net(struct sim_plan *p, struct hci_node *from, struct hci_node *to, uint64_t bytes,
             uint32_t flow, uint8_t part)
{
    if (from == to)
        return;
    uint32_t tx = from->tx[link_of(from, to, flow, TX)];
    uint32_t rx = to->rx[link_of(to, from, flow, RX)];
    if (bytes > 4 * SEGMENT) {
        uint32_t n = (uint32_t)((bytes + SEGMENT - 1) / SEGMENT);
        sim_split(p, n, SEGMENT_WINDOW);
        wire(p, from, to, (bytes + n - 1) / n, tx, rx, part);
        sim_join(p);
    } else {
        wire(p, from, to, bytes, tx, rx, part);
    }
    sim_delay(p, software_ns(from), 0, part);
}

void hci_net_ack(struct sim_plan *p, struct hci_node *from, struct hci_node *to, uint32_t flow,
                 uint8_t part)
{
    if (from == to)
        return;
    sim_delay(p, wire_of(from, HCI_NET_HEADER)->all_ns + from->net.switch_ns, 0, part);
    sim_visit(p, to->rx[link_of(to, from, flow, RX)], wire_of(to, HCI_NET_HEADER)->all_ns, 0, part);
    sim_delay(p, software_ns(from), 0, part);
}
