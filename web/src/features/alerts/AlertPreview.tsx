import { Group, Loader, SegmentedControl, Stack, Text } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { AlertInput } from '../../../../src/contract/alert.ts';
import type { AlertPreviewMeta, AlertPreviewRecord } from '../../../../src/contract/alert-preview.ts';
import type { NumberFormat } from '../../../../src/contract/number-format.ts';
import { callApi } from '../../api/client.ts';
import { ErrorNotice } from '../../ui/ErrorNotice.tsx';
import { Panel } from '../../ui/Panel.tsx';
import { Warnings } from '../../ui/Warnings.tsx';
import { outcomeText, ruleText } from './alert-labels.ts';
import { StateTimeline, type StateWindow } from './StateTimeline.tsx';
import { useWatched } from './use-watched.ts';
import { ValueChart } from './ValueChart.tsx';

const hourMs = 3_600_000;

const typingMs = 600;

interface AlertPreviewProps {
  rule: AlertInput | undefined;
  /** What is watched, with any threshold, while the rule has none. */
  watched: AlertInput | undefined;
  compareTo?: AlertInput | undefined;
}

/** What a rule would have done; beside the stored rule when one is edited. Nothing is sent. */
export function AlertPreview({ rule, watched, compareTo }: AlertPreviewProps) {
  const [hours, setHours] = useState('24');
  const [alert] = useDebouncedValue(rule ?? watched, typingMs);
  const preview = useQuery({
    queryKey: ['alerts', 'preview', alert, rule ? compareTo : undefined, hours],
    enabled: alert !== undefined,
    placeholderData: keepPreviousData,
    retry: false,
    staleTime: 60_000,
    queryFn: ({ signal }) => {
      const endTime = Date.now();
      const body = { alert, ...(compareTo ? { compareTo } : {}), startTime: endTime - Number(hours) * hourMs, endTime };
      return callApi<AlertPreviewRecord>('alerts/preview', { method: 'POST', body, signal });
    },
  });
  const { numberFormat } = useWatched(rule ?? watched ?? {});
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
          {preview.isFetching ? <Loader size={16} role="status" aria-label="Computing" /> : null}
          {rule ? null : (
            <Text size="sm">
              {watched ? 'Choose a threshold to see when it would have fired.' : 'First choose what to watch.'}
            </Text>
          )}
        </Group>
        {preview.error && alert ? <ErrorNotice error={preview.error} /> : null}
        {data && alert && rule ? (
          <Outcome title="This rule" outcome={data} rule={alert} numberFormat={numberFormat} />
        ) : null}
        {data && alert && !rule ? <ValueChart windows={windowsOf(data)} rule={{}} numberFormat={numberFormat} /> : null}
        {data?.compare && compareTo && rule ? (
          <Outcome title="Stored rule" outcome={data.compare} rule={compareTo} numberFormat={numberFormat} />
        ) : null}
        <Warnings warnings={warnings} />
        {truncated ? <Text size="sm">The tile has too many groups; smaller ones are left out.</Text> : null}
      </Stack>
    </Panel>
  );
}

/** Without states: no rule has been applied yet. */
function windowsOf({ windows }: AlertPreviewRecord): StateWindow[] {
  return windows.map(({ start, end, value }) => ({ startMs: start, endMs: end, value, state: 'OK' }));
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
