import { Button, Skeleton, Stack, Text } from '@mantine/core';
import { useEffect } from 'react';
import { service } from '../../boot.ts';
import { ErrorNotice } from '../../ui/ErrorNotice.tsx';
import { Panel } from '../../ui/Panel.tsx';
import { useKeyChanges } from '../keys/key-queries.ts';
import { SdkSnippets } from '../keys/SdkSnippets.tsx';
import { takeFirstVisit } from './first-visit.ts';

/** What to paste, with a key: a new installation gets one unasked, later ones at the press of a button. */
export function FirstKey() {
  const { create } = useKeyChanges('ingestion-keys');
  const make = () => create.mutate({ name: 'first steps' });
  // biome-ignore lint/correctness/useExhaustiveDependencies: once
  useEffect(() => {
    if (takeFirstVisit()) make();
  }, []);
  const secret = create.data?.key;
  return (
    <Panel
      title="Send data"
      description="Any program that speaks OpenTelemetry can send logs, traces and metrics. Paste one of these into a terminal:"
    >
      {create.error ? <ErrorNotice error={create.error} onRetry={make} /> : null}
      {create.isPending ? <Skeleton h={180} /> : null}
      {create.isIdle ? (
        <Stack gap={8} align="flex-start">
          <Text size="sm">The commands contain an ingestion key, which is shown only when it is created.</Text>
          <Button onClick={make}>Create an ingestion key</Button>
        </Stack>
      ) : null}
      {secret === undefined ? null : (
        <Stack gap={12}>
          <SdkSnippets secret={secret} />
          <Text size="xs" c="var(--sb-muted)">
            Keep what you need now: the key is not shown again. It is listed{' '}
            {service ? 'on the overview of this service' : 'in Team Settings'} as “first steps”.
          </Text>
        </Stack>
      )}
    </Panel>
  );
}
