import { allAtOnce, Gather } from '../kernel/gather.ts';
import type {
  BulkEvaluationStore,
  CommitOutcome,
  EvaluationStore,
  EvaluationWriter,
  WrittenEach,
} from './evaluation-store.ts';
import type { AlertLeases, BulkAlertLeases } from './lease.ts';
import type { Reading, TileNames, TileReader, TileRequest, TilesReader, WatchedNames } from './ports.ts';

/** Reads together what alerts ask for at the same time; each of them asks as if it were alone. */
export function readTogether(reader: TilesReader): TileReader {
  const reads = new Gather<TileRequest, Reading>((requests) => reader.readTiles(requests));
  return { read: (request) => reads.ask(request) };
}

/** Writes together what alerts want written at the same time (decisions A8). */
export function writeTogether(store: EvaluationStore & BulkEvaluationStore): EvaluationWriter {
  return {
    commit: listsTogether(
      (judgements) => store.commitAll(judgements),
      (judgement) => store.commit(judgement),
    ),
    recordFailures: listsTogether(
      (failures) => store.recordFailures(failures),
      (failure) => store.recordFailure(failure),
    ),
  };
}

/** Gives back together what is given back at the same time. */
export function releaseTogether(leases: AlertLeases & BulkAlertLeases): AlertLeases {
  const releases = new Gather<Release, void>(
    allAtOnce<Release, void>(async (given) => {
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
    release: (owner, tenantId, alertId) => releases.ask({ owner, tenantId, alertId }),
  };
}

interface Release {
  owner: string;
  tenantId: string;
  alertId: string;
}

/** Looks up once what several alerts want to know at the same time. */
export function nameTogether(names: TileNames): TileNames {
  const lookups = new Gather<Parameters<TileNames['find']>, WatchedNames>((asked) => {
    const known = new Map<string, Promise<WatchedNames>>();
    return asked.map(([tenantId, watched]) => {
      const key = JSON.stringify([tenantId, watched]);
      const found = known.get(key) ?? names.find(tenantId, watched);
      known.set(key, found);
      return found;
    });
  });
  return { find: (...parts) => lookups.ask(parts) };
}

/** One list of all; when that fails each item by itself, so that only those fail that can't be written. */
function listsTogether<Item>(
  together: (items: readonly Item[]) => Promise<readonly CommitOutcome[]>,
  alone: (item: Item) => Promise<CommitOutcome>,
): (items: readonly Item[]) => Promise<WrittenEach> {
  const write = async (items: readonly Item[]): Promise<WrittenEach> => {
    const outcomes = await together(items).catch(() => undefined);
    if (!outcomes) return Promise.allSettled(items.map(alone));
    return outcomes.map((value) => ({ status: 'fulfilled', value }));
  };
  const lists = new Gather<readonly Item[], WrittenEach>(
    allAtOnce(async (given) => {
      const written = await write(given.flat());
      let next = 0;
      return given.map(({ length }) => {
        next += length;
        return written.slice(next - length, next);
      });
    }),
  );
  return (items) => lists.ask(items);
}
