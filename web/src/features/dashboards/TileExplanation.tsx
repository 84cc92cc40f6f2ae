import { Badge, Code, Group, Modal, Skeleton, Stack, Text } from '@mantine/core';
import type { ExplainedRead, ExplainedStatement } from '../../../../src/contract/explain.ts';
import { mechanisms, techniques } from '../../../../src/contract/explain-texts.ts';
import type { Tile } from '../../../../src/contract/tile.ts';
import { ErrorNotice } from '../../ui/ErrorNotice.tsx';
import { type TilesQuestion, useTileAnswers } from './dashboard-queries.ts';

export interface TileExplanationProps {
  tile: Tile;
  /** All tiles of the request: they share what they read. */
  question: TilesQuestion;
  onClose: () => void;
}

/** How a tile is read, statement by statement, when it is read together with the tiles beside it. */
export function TileExplanation({ tile, question, onClose }: TileExplanationProps) {
  const { data, error, isPending, refetch } = useTileAnswers({ ...question, explain: true });
  const reads = data?.get(tile.id)?.meta?.explain;
  return (
    <Modal opened onClose={onClose} size="xl" title={`How “${tile.name || 'Untitled tile'}” is read`}>
      {error ? <ErrorNotice error={error} onRetry={() => void refetch()} /> : null}
      {isPending ? <Skeleton height={160} /> : null}
      {data && !reads ? <Text size="sm">This tile runs no statements that can be explained.</Text> : null}
      <Stack gap="lg">
        {reads?.map((read) => (
          <Read key={`${read.source} ${read.series.join()} ${read.statements[0]?.sql}`} read={read} />
        ))}
      </Stack>
    </Modal>
  );
}

function Read({ read }: { read: ExplainedRead }) {
  const { source, series, cachedBuckets, statements } = read;
  const which =
    series.length === 1 ? `series ${(series[0] ?? 0) + 1}` : `series ${series.map((at) => at + 1).join(', ')}`;
  const remembered =
    cachedBuckets === 0
      ? ''
      : ` Cached buckets, which a refresh does not read again: ${cachedBuckets.toLocaleString('en-US')}.`;
  return (
    <Stack gap="xs">
      <Text size="sm">{`Source ${source}, ${which}.${remembered}`}</Text>
      {statements.map((statement) => (
        <Statement key={statement.sql} statement={statement} />
      ))}
    </Stack>
  );
}

function Statement({ statement }: { statement: ExplainedStatement }) {
  const { mechanism, reason, queries, rowsRead, bytesRead, elapsedMs, sql, parameters } = statement;
  const shared = queries > 1 ? `, shared by ${queries} queries` : '';
  const cost = `${rowsRead.toLocaleString('en-US')} rows, ${bytesRead.toLocaleString('en-US')} bytes, ${Math.round(elapsedMs)} ms`;
  const values = Object.entries(parameters).map(([name, value]) => `-- ${name} = ${value}`);
  return (
    <Stack gap={4}>
      <Group gap="xs">
        <Badge variant="light" tt="none" title={mechanisms[mechanism]}>
          {wordsOf(mechanism)}
        </Badge>
        {statement.techniques.map((technique) => (
          <Badge key={technique} variant="outline" color="gray" tt="none" title={techniques[technique]}>
            {wordsOf(technique)}
          </Badge>
        ))}
        <Text size="xs" c="dimmed">
          {`${cost}${shared}`}
        </Text>
      </Group>
      <Text size="xs">{`Why: ${reason}.`}</Text>
      <Code block tabIndex={0} aria-label="Statement">
        {[sql, ...values].join('\n')}
      </Code>
    </Stack>
  );
}

/** `groupingSets` as “Grouping sets”. */
function wordsOf(name: string): string {
  const words = name.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
  return words.charAt(0).toUpperCase() + words.slice(1);
}
