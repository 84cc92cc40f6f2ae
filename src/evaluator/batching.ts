import { asOneCall, Batcher } from '../kernel/batcher.ts';
import type {
  BulkEvaluationStore,
  CommitOutcome,
  EvaluationStore,
  EvaluationWriter,
  WrittenEach,
} from './evaluation-store.ts';
import type { AlertLeases, BulkAlertLeases } from './lease.ts';
import type { Reading, TileNames, TileReader, TileRequest, TilesReader, WatchedNames } from './ports.ts';

/** Reads in one batch what alerts request at the same time; each of them asks as if it were alone. */
export function batchReads(reader: TilesReader): TileReader {
  const reads = new Batcher<TileRequest, Reading>((requests) => reader.readTiles(requests));
  return { read: (request) => reads.add(request) };
}

/** Writes in one batch what alerts commit at the same time (decisions A8). */
export function batchWrites(store: EvaluationStore & BulkEvaluationStore): EvaluationWriter {
  return {
    commit: batchLists(
      (evaluations) => store.commitAll(evaluations),
      (evaluation) => store.commit(evaluation),
    ),
    recordFailures: batchLists(
      (failures) => store.recordFailures(failures),
      (failure) => store.recordFailure(failure),
    ),
  };
}

/** Releases in one batch the leases that are released at the same time. */
export function batchReleases(leases: AlertLeases & BulkAlertLeases): AlertLeases {
  const releases = new Batcher<Release, void>(
    asOneCall<Release, void>(async (given) => {
      for (const owner of new Set(given.map((each) => each.owner))) {
        const own = given.filter((each) => each.owner === owner);
        await leases.releaseAll(owner, own);
      }
      return given.map(() => undefined);
    }),
  );
  return {
    claimDue: (claim) => leases.claimDue(claim),
    nextDueMs: (nowMs) => leases.nextDueMs(nowMs),
    release: (owner, tenantId, alertId) => releases.add({ owner, tenantId, alertId }),
  };
}

interface Release {
  owner: string;
  tenantId: string;
  alertId: string;
}

/** Looks up once what several alerts request at the same time. */
export function batchNames(names: TileNames): TileNames {
  const lookups = new Batcher<Parameters<TileNames['find']>, WatchedNames>((asked) => {
    const known = new Map<string, Promise<WatchedNames>>();
    return asked.map(([tenantId, watched]) => {
      const key = JSON.stringify([tenantId, watched]);
      const found = known.get(key) ?? names.find(tenantId, watched);
      known.set(key, found);
      return found;
    });
  });
  return { find: (...parts) => lookups.add(parts) };
}

/** All lists as one; when that fails, each item alone, so that only those that can't be written fail. */
function batchLists<Item>(
  together: (items: readonly Item[]) => Promise<readonly CommitOutcome[]>,
  alone: (item: Item) => Promise<CommitOutcome>,
): (items: readonly Item[]) => Promise<WrittenEach> {
  const write = async (items: readonly Item[]): Promise<WrittenEach> => {
    const outcomes = await together(items).catch(() => undefined);
    if (!outcomes) return Promise.allSettled(items.map(alone));
    return outcomes.map((value) => ({ status: 'fulfilled', value }));
  };
  const lists = new Batcher<readonly Item[], WrittenEach>(
    asOneCall(async (given) => {
      const written = await write(given.flat());
      let next = 0;
      return given.map(({ length }) => {
        next += length;
        return written.slice(next - length, next);
      });
    }),
  );
  return (items) => lists.add(items);
}
