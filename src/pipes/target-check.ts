import type { PipeInput } from '../contract/pipe-input.ts';
import type { Problem } from '../contract/problem.ts';
import { printedColumnType } from './destination/column-type.ts';
import { SqlTextError } from './destination/sql-tokens.ts';
import { printedExpression } from './destination/table-expression.ts';
import type { TargetTable } from './target-table.ts';

type Destination = NonNullable<PipeInput['destination']>;

const namePattern = /^[\p{L}\p{N}_][\p{L}\p{N}_ .$:-]{0,127}$/u;
const nameRule = 'must start with a letter, digit or underscore and have at most 128 letters, digits and _ . $ : -';

/** The table that a pipe of one table writes to; `undefined` where its destination names none. */
export function targetOf({ destination, fieldMappings = [] }: PipeInput): TargetTable | undefined {
  const { table, managedTable, columns, tableDefinition = {} } = destination ?? {};
  if (table === undefined) return undefined;
  const { engine, partitionBy, primaryKey, sortingKey, ttl } = tableDefinition;
  return {
    table,
    isManaged: managedTable ?? true,
    ...(columns && { columns }),
    ...(engine && { engine: { ...engine, type: engine.type ?? 'MergeTree' } }),
    ...(partitionBy && { partitionBy }),
    ...(primaryKey && { primaryKey }),
    ...(sortingKey && { sortingKey }),
    ...(ttl && { ttl }),
    mappings: fieldMappings,
  };
}

/** What of the destination cannot be made or written, without asking the table. */
export function targetProblems(pipe: PipeInput): readonly Problem[] {
  const { destination } = pipe;
  if (pipe.source?.postgres && destination?.table === undefined) return [];
  if (destination?.table === undefined) return [{ path: 'destination.table', message: 'is required' }];
  const { managedTable = true, columns = [] } = destination;
  return [
    ...nameProblems('destination.table', destination.table),
    ...(managedTable && columns.length === 0
      ? [{ path: 'destination.columns', message: 'is required for a managed table' }]
      : []),
    ...(destination.roles?.length
      ? [
          {
            path: 'destination.roles',
            message: 'is not supported: the program writes as the user that it is configured with',
          },
        ]
      : []),
    ...columnProblems(destination),
    ...definitionProblems(destination),
    ...mappingProblems(pipe),
  ];
}

export function nameProblems(path: string, name: string): Problem[] {
  return namePattern.test(name) ? [] : [{ path, message: nameRule }];
}

function columnProblems({ columns = [] }: Destination): Problem[] {
  const seen = new Set<string>();
  return columns.flatMap(({ name, type }, index) => {
    const path = `destination.columns.${index}`;
    const problems = nameProblems(`${path}.name`, name);
    if (seen.has(name)) problems.push({ path: `${path}.name`, message: 'is the name of an earlier column' });
    seen.add(name);
    return [...problems, ...textProblems(`${path}.type`, () => printedColumnType(type))];
  });
}

function definitionProblems({ columns = [], tableDefinition = {} }: Destination): Problem[] {
  const names = new Set(columns.map(({ name }) => name));
  const { engine = {}, partitionBy, primaryKey, sortingKey = [], ttl } = tableDefinition;
  const expressions = { partitionBy, primaryKey, ttl };
  const at = 'destination.tableDefinition';
  return [
    ...Object.entries(expressions).flatMap(([field, text]) =>
      text ? textProblems(`${at}.${field}`, () => printedExpression(text, names)) : [],
    ),
    ...sortingKey.flatMap((text, index) =>
      textProblems(`${at}.sortingKey.${index}`, () => printedExpression(text, names)),
    ),
    ...[...(engine.columnIds ?? []), ...(engine.versionColumnId ? [engine.versionColumnId] : [])]
      .filter((name) => !names.has(name))
      .map((name) => ({ path: `${at}.engine`, message: `names ${JSON.stringify(name)}, which is not a column` })),
  ];
}

function mappingProblems({ destination, fieldMappings = [] }: PipeInput): Problem[] {
  const names = destination?.columns && new Set(destination.columns.map(({ name }) => name));
  const seen = new Set<string>();
  return fieldMappings.flatMap(({ sourceField, destinationField }, index) => {
    const path = `fieldMappings.${index}`;
    const problems = nameProblems(`${path}.sourceField`, sourceField);
    if (names && !names.has(destinationField)) {
      problems.push({ path: `${path}.destinationField`, message: 'is not one of destination.columns' });
    }
    if (seen.has(destinationField)) {
      problems.push({ path: `${path}.destinationField`, message: 'is filled by an earlier mapping' });
    }
    seen.add(destinationField);
    return problems;
  });
}

function textProblems(path: string, print: () => unknown): Problem[] {
  try {
    print();
    return [];
  } catch (error) {
    if (error instanceof SqlTextError) return [{ path, message: error.message }];
    throw error;
  }
}
