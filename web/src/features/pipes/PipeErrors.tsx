import { Stack, Text } from '@mantine/core';
import type { PipeError } from '../../../../src/contract/pipe-errors.ts';
import { ErrorNotice } from '../../ui/ErrorNotice.tsx';
import { instantText } from '../../ui/instant-text.ts';
import { Panel } from '../../ui/Panel.tsx';
import { Snippet } from '../../ui/Snippet.tsx';
import { countText } from './pipe-figures.ts';
import { usePipeErrors } from './pipe-queries.ts';

export interface PipeErrorsProps {
  service: string;
  pipeId: string;
  /** How many there were since the pipe was made. */
  count: number;
}

/** The records that did not fit the table of the pipe, with what is wrong with each. */
export function PipeErrors({ service, pipeId, count }: PipeErrorsProps) {
  const errors = usePipeErrors(service, pipeId, count);
  const found = errors.data ?? [];
  const described =
    found.length === 0 ? undefined : 'Records that did not fit the table. They are kept for seven days; newest first.';
  return (
    <Panel title="Rejected records" description={described}>
      {errors.error ? <ErrorNotice error={errors.error} onRetry={errors.refetch} /> : null}
      {errors.data && found.length === 0 ? (
        <Text size="sm">{count === 0 ? 'Every record fitted.' : 'None within the last seven days.'}</Text>
      ) : null}
      <Stack gap={12}>
        {found.map((error, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the same record may be rejected twice
          <RejectedRecord key={`${error.at} ${error.position} ${index}`} error={error} />
        ))}
      </Stack>
    </Panel>
  );
}

function RejectedRecord({ error: { at, table, position, reason, record, recordChars } }: { error: PipeError }) {
  const cut = recordChars > record.length ? `, the first ${countText(record.length)} characters` : '';
  return (
    <div>
      <Text size="sm" className="long-text">
        {reason}
      </Text>
      <Text size="xs" c="var(--sb-muted)" className="long-text">
        {instantText(at)} · {table} · {position}
        {cut}
      </Text>
      {record === '' ? null : <Snippet text={record} label={`record ${position}`} />}
    </div>
  );
}
