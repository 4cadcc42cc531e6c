# SPDX-License-Identifier: GPL-3.0-or-later
"""The bare write path of bench_path.c in SimPy 2 (Debian: python3-simpy).

Prints one line: I/Os per CPU second.
"""
import random
import time

from SimPy.Simulation import Process, Resource, SimEvent, Simulation, hold, release, request, waitevent

IOS, IN_FLIGHT, NODES = 20000, 96, 3
LINK, ACK = 3300.0, 6000.0


class Node:
    def __init__(self, sim):
        self.cpu = Resource(8, sim=sim)
        self.drive = [Resource(1, sim=sim) for _ in range(64)]
        self.link = [Resource(1, sim=sim) for _ in range(2)]


class Remote(Process):
    def go(self, src, dst, done):
        link = random.choice(src.link)
        yield request, self, link
        yield hold, self, LINK
        yield release, self, link
        yield request, self, dst.cpu
        yield hold, self, random.lognormvariate(8.294, 0.3)
        yield release, self, dst.cpu
        unit = random.choice(dst.drive)
        yield request, self, unit
        yield hold, self, random.lognormvariate(9.306, 0.4)
        yield release, self, unit
        yield hold, self, ACK
        done.signal()


class Client(Process):
    def go(self, nodes, count):
        while count[0] > 0:
            count[0] -= 1
            a = random.randrange(NODES)
            b = (a + 1 + random.randrange(NODES - 1)) % NODES
            home, done = nodes[a], SimEvent(sim=self.sim)
            yield request, self, home.cpu
            yield hold, self, random.lognormvariate(8.294, 0.3)
            yield release, self, home.cpu
            other = Remote(sim=self.sim)
            self.sim.activate(other, other.go(home, nodes[b], done))
            unit = random.choice(home.drive)
            yield request, self, unit
            yield hold, self, random.lognormvariate(9.306, 0.4)
            yield release, self, unit
            if other.active():
                yield waitevent, self, done


def main():
    random.seed(1)
    sim = Simulation()
    sim.initialize()
    nodes, count = [Node(sim) for _ in range(NODES)], [IOS]
    for _ in range(IN_FLIGHT):
        c = Client(sim=sim)
        sim.activate(c, c.go(nodes, count))
    began = time.process_time()
    sim.simulate(until=1e15)
    print("%.0f" % (IOS / (time.process_time() - began)))


main()
