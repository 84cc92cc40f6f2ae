import { Button, Group, SegmentedControl, Stack, Text } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import type { AlertInput } from '../../../../src/contract/alert.ts';
import type { AlertPreviewMeta, AlertPreviewRecord } from '../../../../src/contract/alert-preview.ts';
import type { NumberFormat } from '../../../../src/contract/number-format.ts';
import { callApi } from '../../api/client.ts';
import { ErrorNotice } from '../../ui/ErrorNotice.tsx';
import { Panel } from '../../ui/Panel.tsx';
import { Warnings } from '../../ui/Warnings.tsx';
import { outcomeText, ruleText } from './alert-labels.ts';
import { StateTimeline } from './StateTimeline.tsx';
import { useWatched } from './use-watched.ts';
import { ValueChart } from './ValueChart.tsx';

const hourMs = 3_600_000;

/** What a rule would have done; beside the stored rule when one is edited. Nothing is sent. */
export function AlertPreview({
  rule,
  compareTo,
}: {
  rule: AlertInput | undefined;
  compareTo?: AlertInput | undefined;
}) {
  const [hours, setHours] = useState('24');
  const preview = useMutation({
    mutationFn: (alert: AlertInput) => {
      const endTime = Date.now();
      const body = { alert, ...(compareTo ? { compareTo } : {}), startTime: endTime - Number(hours) * hourMs, endTime };
      return callApi<AlertPreviewRecord>('alerts/preview', { method: 'POST', body });
    },
  });
  const { numberFormat } = useWatched(rule ?? {});
  const { data, meta } = preview.data ?? {};
  // The answer's own schema.
  const { warnings, truncated } = (meta ?? {}) as Partial<AlertPreviewMeta>;
  return (
    <Panel title="Preview" description="What this rule would have done with the existing data. Nothing is sent.">
      <Stack gap={12}>
        {rule ? (
          <Text size="sm" fw={500}>
            {ruleText(rule, numberFormat)}
          </Text>
        ) : null}
        <Group>
          <SegmentedControl
            aria-label="Range"
            value={hours}
            onChange={setHours}
            data={[
              { value: '24', label: 'Last 24 hours' },
              { value: '168', label: 'Last 7 days' },
            ]}
          />
          <Button
            variant="default"
            disabled={!rule}
            loading={preview.isPending}
            onClick={() => rule && preview.mutate(rule)}
          >
            Preview
          </Button>
          {rule ? null : <Text size="sm">First choose a source and a threshold.</Text>}
        </Group>
        {preview.error ? <ErrorNotice error={preview.error} /> : null}
        {data ? (
          <Outcome title="This rule" outcome={data} rule={preview.variables} numberFormat={numberFormat} />
        ) : null}
        {data?.compare && compareTo ? (
          <Outcome title="Stored rule" outcome={data.compare} rule={compareTo} numberFormat={numberFormat} />
        ) : null}
        <Warnings warnings={warnings} />
        {truncated ? <Text size="sm">The tile has too many groups; smaller ones are left out.</Text> : null}
      </Stack>
    </Panel>
  );
}

interface OutcomeProps {
  title: string;
  outcome: Pick<AlertPreviewRecord, 'windows' | 'firings' | 'notifications'>;
  rule: AlertInput | undefined;
  numberFormat: NumberFormat | undefined;
}

function Outcome({ title, outcome, rule, numberFormat }: OutcomeProps) {
  const windows = outcome.windows.map(({ start, end, value, state }) => ({ startMs: start, endMs: end, value, state }));
  return (
    <Stack gap={8}>
      <Text size="sm" role="status">
        <strong>{title}</strong>: {outcomeText(outcome.firings.length, outcome.notifications)}
      </Text>
      <StateTimeline windows={windows} numberFormat={numberFormat} />
      {rule ? <ValueChart windows={windows} rule={rule} numberFormat={numberFormat} /> : null}
    </Stack>
  );
}
