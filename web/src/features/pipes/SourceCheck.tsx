import { Stack, Text } from '@mantine/core';
import type { PipeCheck } from '../../../../src/contract/pipe-check.ts';
import { withLocalTimes } from '../../ui/instant-text.ts';

const namesShown = 50;

/** What a test of a source has found. */
export function SourceCheck({ check: { ok, message, names = [] } }: { check: PipeCheck }) {
  const left = names.length - namesShown;
  return (
    <Stack gap={2} role="status">
      <Text size="sm" fw={600} c={ok ? 'var(--sb-ok)' : 'var(--sb-firing)'}>
        {ok ? 'The source can be read.' : 'The source cannot be read.'}
      </Text>
      {message === undefined ? null : (
        <Text size="sm" className="long-text">
          {withLocalTimes(message)}
        </Text>
      )}
      {names.slice(0, namesShown).map((name) => (
        <Text key={name} size="sm" ff="monospace" className="long-text">
          {name}
        </Text>
      ))}
      {left > 0 ? <Text size="sm">and {left} more</Text> : null}
      {ok && names.length === 0 ? <Text size="sm">It has nothing to read yet.</Text> : null}
    </Stack>
  );
}
