import type { ServerFault, ServerProxy } from './server-proxy.ts';
import type { TestCluster } from './test-cluster.ts';

export interface Struck {
  cluster: TestCluster;
  proxies: readonly ServerProxy[];
}

export interface Fault {
  name: string;
  lastsMs: number;
  begin(struck: Struck): Promise<void>;
  end(struck: Struck): Promise<void>;
  /** Why it cannot be done here, if so. */
  whyNot?(struck: Struck): string | undefined;
}

const seconds = 1_000;

function ofServers(name: string, fault: ServerFault, lastsMs: number): Fault {
  const set = (value: ServerFault) => async (struck: Struck) => {
    for (const proxy of struck.proxies) proxy.fault = value;
  };
  return { name, lastsMs, begin: set(fault), end: set('none') };
}

/** Nodes 1 and 2 are the replicas of the first shard, 3 and 4 those of the second. */
export const faults: readonly Fault[] = [
  {
    name: 'a replica killed, and back after 20 s',
    lastsMs: 20 * seconds,
    begin: ({ cluster }) => cluster.kill(2),
    end: ({ cluster }) => cluster.restart(2),
  },
  {
    name: 'a shard down for 20 s',
    lastsMs: 20 * seconds,
    begin: ({ cluster }) => cluster.kill(3, 4),
    end: ({ cluster }) => cluster.restart(3, 4),
  },
  {
    name: 'ZooKeeper away for 90 s',
    lastsMs: 90 * seconds,
    begin: ({ cluster }) => cluster.zookeeper('stop'),
    end: ({ cluster }) => cluster.zookeeper('start'),
  },
  {
    name: 'the disk of a node full for 20 s',
    lastsMs: 20 * seconds,
    begin: async ({ cluster }) => cluster.disk.fill(),
    end: async ({ cluster }) => cluster.disk.free(),
    whyNot: ({ cluster }) => (cluster.disk.isOwn ? undefined : 'no file system may be mounted here'),
  },
  ofServers('the password changed for 20 s', 'rejects the password', 20 * seconds),
  ofServers('503 for 30 s', 'answers 503', 30 * seconds),
  ofServers('connections reset for 20 s', 'resets', 20 * seconds),
  {
    name: 'every node restarted, one after the other',
    lastsMs: 0,
    begin: ({ cluster }) => cluster.restart(1, 2, 3, 4),
    end: async () => {},
  },
];
