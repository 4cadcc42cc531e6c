/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Messages between nodes: bond, framing, switch, software.
 */
#include "hci_cluster.h"

#define FRAME_BYTES 38 /* preamble 8, Ethernet 14, FCS 4, gap 12 */
#define VLAN_BYTES 4
#define IP_TCP_BYTES 40
#define TIMESTAMP_BYTES 12
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
                        const char *side)
{
    const struct hci_nic_conf *nic = &n->conf->nic;
    if (n->nlinks == 1 || nic->bond == HCI_BOND_ACTIVE_BACKUP)
        return 0;
    if (nic->flows == HCI_FLOWS_COLLIDE)
        return 0;
    if (nic->flows == HCI_FLOWS_SPREAD)
        return (unsigned)((peer->index + n->nlinks - n->index % n->nlinks +
                           (nic->hash == HCI_HASH_L34 ? flow : 0)) % n->nlinks);
    uint64_t key = sim_key(sim_role(side), n->index);
    if (nic->bond == HCI_BOND_BALANCE_SLB) /* by the sender's MAC: the CVM has one */
        return (unsigned)sim_below(key, n->nlinks);
    key = sim_key(key, peer->index);
    if (nic->hash == HCI_HASH_L34)
        key = sim_key(key, flow);
    return (unsigned)sim_below(key, n->nlinks);
}

static void wire(struct sim_plan *p, const struct hci_node *from, const struct hci_node *to,
                 uint64_t bytes, uint32_t tx, uint32_t rx, sim_time switch_ns, uint8_t part)
{
    const struct hci_nic_conf *nic = &from->conf->nic;
    uint64_t per = segment_payload(nic);
    sim_time all = sim_transfer_ns(wire_bytes(nic, bytes), nic->speed_Bps);
    sim_time frame = sim_transfer_ns(wire_bytes(nic, sim_min(bytes, per)), nic->speed_Bps);
    /* The switch forwards a frame once it has it, so the receiving link starts
     * one frame and one hop after the sending one. */
    sim_visit_cut(p, tx, all, frame + switch_ns, part);
    sim_visit(p, rx, sim_transfer_ns(wire_bytes(&to->conf->nic, bytes), to->conf->nic.speed_Bps),
              0, part);
}

void hci_net(struct sim_plan *p, struct hci_node *from, struct hci_node *to, uint64_t bytes,
             uint32_t flow, uint8_t part)
{
    const struct hci_net_conf *net = &from->net;
    if (from == to)
        return;
    uint32_t tx = from->tx[link_of(from, to, flow, "tx")];
    uint32_t rx = to->rx[link_of(to, from, flow, "rx")];
    if (bytes > 4 * SEGMENT) {
        uint32_t n = (uint32_t)((bytes + SEGMENT - 1) / SEGMENT);
        sim_split(p, n, SEGMENT_WINDOW);
        wire(p, from, to, (bytes + n - 1) / n, tx, rx, net->switch_ns, part);
        sim_join(p);
    } else {
        wire(p, from, to, bytes, tx, rx, net->switch_ns, part);
    }
    sim_delay(p, from->conf->nic.transport == HCI_RDMA ? net->message_rdma_ns : net->message_tcp_ns,
              0, part);
}
