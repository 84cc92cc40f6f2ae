import { ClusterMissingError, TestCluster } from './test-cluster.ts';

/** Runs `work` on a new cluster, which is removed afterwards; answers `undefined`, having said why, where there can be none. */
export async function onCluster<T>(nodes: number, work: (cluster: TestCluster) => Promise<T>): Promise<T | undefined> {
  const cluster = await startCluster(nodes);
  if (!cluster) return undefined;
  const stop = () => void cluster.remove().finally(() => process.exit(1));
  process.once('SIGTERM', stop).once('SIGINT', stop);
  try {
    return await work(cluster);
  } finally {
    process.off('SIGTERM', stop).off('SIGINT', stop);
    await cluster.remove();
  }
}

async function startCluster(nodes: number): Promise<TestCluster | undefined> {
  try {
    return await TestCluster.start(nodes);
  } catch (error) {
    if (!(error instanceof ClusterMissingError)) throw error;
    console.log(`skipped: ${error.message}`);
    return undefined;
  }
}
