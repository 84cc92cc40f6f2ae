import { Text } from '@mantine/core';

const colors: Record<string, string> = {
  Running: 'var(--sb-ok)',
  Completed: 'var(--sb-ok)',
  Failed: 'var(--sb-firing)',
  InternalError: 'var(--sb-firing)',
  Degraded: 'var(--sb-pending)',
  Unknown: 'var(--sb-muted)',
  Stopped: 'var(--sb-muted)',
  Paused: 'var(--sb-muted)',
};

/** A pipe's state in its colour; states on the way, and those not known here, are amber. */
export function PipeState({ state }: { state: string }) {
  return (
    <Text span size="sm" fw={600} c={colors[state] ?? 'var(--sb-pending)'}>
      {state}
    </Text>
  );
}
