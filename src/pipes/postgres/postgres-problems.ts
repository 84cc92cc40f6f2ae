import type { PipeInput } from '../../contract/pipe-input.ts';
import type { Problem } from '../../contract/problem.ts';
import { nameProblems } from '../target-check.ts';
import { type MappedTable, mappedTableOf } from './postgres-plan.ts';

type PostgresInput = NonNullable<NonNullable<PipeInput['source']>['postgres']>;

const at = 'source.postgres';
const slotName = /^[a-z0-9_]{1,63}$/;

/** Settings of a postgres source that cannot be run here, without asking the server. */
export function postgresProblems(pipe: PipeInput): Problem[] {
  const source = pipe.source?.postgres ?? {};
  return [
    ...serverProblems(source),
    ...settingProblems(source),
    ...mappingProblems(source),
    ...destinationProblems(pipe),
    ...foreignProblems(pipe),
  ];
}

function serverProblems(source: PostgresInput): Problem[] {
  const { host, database, credentials = {}, authentication = 'basic', iamRole, disableTls } = source;
  const problems: Problem[] = [];
  if (!host) problems.push({ path: `${at}.host`, message: 'is required' });
  if (!database) problems.push({ path: `${at}.database`, message: 'is required' });
  if (authentication !== 'basic' || iamRole) {
    const path = authentication === 'basic' ? `${at}.iamRole` : `${at}.authentication`;
    problems.push({ path, message: 'is not supported: use basic, with the user name and password in credentials' });
  } else if (!(credentials.username ?? credentials.user) || !credentials.password) {
    problems.push({ path: `${at}.credentials`, message: 'must have username and password' });
  }
  if (disableTls && (source.caCertificate || source.tlsHost || source.skipCertVerification)) {
    problems.push({
      path: `${at}.disableTls`,
      message: 'cannot be combined with caCertificate, tlsHost or skipCertVerification',
    });
  }
  return problems;
}

function settingProblems({ settings = {} }: PostgresInput): Problem[] {
  const problems: Problem[] = [];
  const { replicationSlotName, replicationMode = 'cdc', publicationName, enableFailoverSlots } = settings;
  if (replicationSlotName && !slotName.test(replicationSlotName)) {
    const message = 'must have 1 to 63 lower-case letters, digits and underscores';
    problems.push({ path: `${at}.settings.replicationSlotName`, message });
  }
  if (replicationMode === 'snapshot' && (replicationSlotName || publicationName || enableFailoverSlots)) {
    const message = 'must not be snapshot when a slot or a publication is set, because a snapshot uses neither';
    problems.push({ path: `${at}.settings.replicationMode`, message });
  }
  if (replicationSlotName && !publicationName) {
    const message =
      'is required with replicationSlotName: a slot sends no changes from before its publication was made';
    problems.push({ path: `${at}.settings.publicationName`, message });
  }
  if (replicationSlotName && enableFailoverSlots) {
    const message = 'applies to slots that the pipe makes, and replicationSlotName is set';
    problems.push({ path: `${at}.settings.enableFailoverSlots`, message });
  }
  return problems;
}

function mappingProblems({ tableMappings = [], settings = {} }: PostgresInput): Problem[] {
  if (tableMappings.length === 0) return [{ path: `${at}.tableMappings`, message: 'must have at least one table' }];
  const targets = new Set<string>();
  const sources = new Set<string>();
  return tableMappings.flatMap((mapping, index) => {
    const path = `${at}.tableMappings.${index}`;
    const table = mappedTableOf(mapping);
    const problems: Problem[] = tableProblems(path, mapping, table);
    if (table.engine === 'MergeTree' && settings.replicationMode !== 'cdc_only') {
      const message =
        'can be MergeTree, which keeps every change, only when replicationMode is cdc_only; a snapshot needs ReplacingMergeTree';
      problems.push({ path: `${path}.tableEngine`, message });
    }
    const name = JSON.stringify([table.schema, table.table]);
    if (sources.has(name)) problems.push({ path, message: 'names the source table of an earlier mapping' });
    if (targets.has(table.target))
      problems.push({ path: `${path}.targetTable`, message: 'is the target of an earlier mapping' });
    sources.add(name);
    targets.add(table.target);
    return problems;
  });
}

function tableProblems(
  path: string,
  mapping: NonNullable<PostgresInput['tableMappings']>[number],
  { table, target, sortingKeys, excluded }: MappedTable,
): Problem[] {
  const problems: Problem[] = [];
  if (!table) problems.push({ path: `${path}.sourceTable`, message: 'is required' });
  else problems.push(...nameProblems(`${path}.targetTable`, target));
  if (mapping.useCustomSortingKey === true && !sortingKeys) {
    problems.push({ path: `${path}.sortingKeys`, message: 'is required when useCustomSortingKey is true' });
  }
  if (mapping.useCustomSortingKey === false && sortingKeys) {
    problems.push({ path: `${path}.useCustomSortingKey`, message: 'must not be false when sortingKeys are given' });
  }
  const missing = sortingKeys?.find((name) => excluded.has(name));
  if (missing !== undefined) {
    problems.push({ path: `${path}.excludedColumns`, message: `must not have ${missing}, which is a sorting key` });
  }
  if (mapping.partitionKey) {
    const message = 'is not supported: a snapshot is partitioned by the blocks of the table; remove it';
    problems.push({ path: `${path}.partitionKey`, message });
  }
  return problems;
}

function destinationProblems({ destination = {}, fieldMappings = [] }: PipeInput): Problem[] {
  const problems: Problem[] = [];
  for (const field of ['table', 'columns', 'tableDefinition'] as const) {
    const value = destination[field];
    if (value === undefined || (Array.isArray(value) && value.length === 0)) continue;
    const message = 'must be absent for a postgres source, whose tableMappings say where rows go';
    problems.push({ path: `destination.${field}`, message });
  }
  if (fieldMappings.length > 0) {
    problems.push({ path: 'fieldMappings', message: 'must be empty for a postgres source; use excludedColumns' });
  }
  return problems;
}

/** Settings of other kinds of source. */
function foreignProblems({ settings = {}, scaling = {} }: PipeInput): Problem[] {
  const foreign = Object.keys(settings).filter((name) => /^(object_storage|kafka|streaming)_/.test(name));
  const problems = foreign.map((name) => ({
    path: `settings.${name}`,
    message: 'does not apply to a postgres source; use the settings of source.postgres',
  }));
  for (const field of ['replicas', 'concurrency'] as const) {
    if ((scaling[field] ?? 0) <= 1) continue;
    const message =
      'does not apply to a postgres source; use initialLoadParallelism and snapshotNumberOfParallelTables';
    problems.push({ path: `scaling.${field}`, message });
  }
  return problems;
}
