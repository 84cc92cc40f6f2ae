import {
  Code,
  MultiSelect,
  NumberInput,
  SegmentedControl,
  Select,
  SimpleGrid,
  Stack,
  Text,
  Textarea,
  TextInput,
} from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { evaluatedSeries } from '../../../../src/contract/evaluated-series.ts';
import { isRange, thresholdSymbols } from '../../../../src/contract/threshold-text.ts';
import { AnchorLink } from '../../ui/links.tsx';
import { Panel } from '../../ui/Panel.tsx';
import { dashboardsQuery } from '../dashboards/dashboard-queries.ts';
import { savedSearchesQuery } from '../search/saved-search-queries.ts';
import type { AlertDraft } from './alert-draft.ts';
import { missingDataLabels } from './alert-labels.ts';
import { webhooksQuery } from './alert-queries.ts';

const templateVariables = [
  'value',
  'threshold',
  'rule',
  'state',
  'reason',
  'group',
  'attributes.<key>',
  'startTimeIso',
  'endTimeIso',
  'link',
  'severity',
  'alert.name',
  'dashboard.name',
  'tile.name',
  'savedSearch.name',
];

interface FieldsProps {
  draft: AlertDraft;
  change: (patch: Partial<AlertDraft>) => void;
}

export function AlertForm(props: FieldsProps) {
  return (
    <>
      <WatchedFields {...props} />
      <RuleFields {...props} />
      <MessageFields {...props} />
    </>
  );
}

function WatchedFields({ draft, change }: FieldsProps) {
  const dashboards = useQuery(dashboardsQuery).data ?? [];
  const searches = useQuery(savedSearchesQuery).data ?? [];
  const [kind, setKind] = useState(draft.savedSearchId ? 'saved_search' : 'tile');
  const tiles = dashboards.find(({ id }) => id === draft.dashboardId)?.tiles ?? [];
  const tile = tiles.find(({ id }) => id === draft.tileId);
  const series = tile && evaluatedSeries(tile);
  const chooseKind = (next: string) => {
    setKind(next);
    change({ savedSearchId: null, ...(next === 'tile' ? { groupBy: '' } : { dashboardId: null, tileId: null }) });
  };
  return (
    <Panel title="What to watch">
      <Stack gap={12}>
        <SegmentedControl
          aria-label="Kind"
          value={kind}
          onChange={chooseKind}
          data={[
            { value: 'tile', label: 'Dashboard tile' },
            { value: 'saved_search', label: 'Saved search' },
          ]}
        />
        <SimpleGrid cols={{ base: 1, sm: 2 }}>
          {kind === 'tile' ? (
            <>
              <Select
                label="Dashboard"
                searchable
                required
                data={dashboards.map(({ id, name }) => ({ value: id, label: name }))}
                value={draft.dashboardId}
                onChange={(dashboardId) => change({ dashboardId, tileId: null })}
              />
              <Select
                label="Tile"
                searchable
                required
                disabled={!draft.dashboardId}
                data={tiles.map(({ id, name }) => ({ value: id, label: name || id }))}
                description={series && `Evaluated: ${series}`}
                value={draft.tileId}
                onChange={(tileId) => change({ tileId })}
              />
            </>
          ) : (
            <>
              <Select
                label="Saved search"
                searchable
                required
                data={searches.map(({ id, name }) => ({ value: id, label: name }))}
                value={draft.savedSearchId}
                onChange={(savedSearchId) => change({ savedSearchId })}
              />
              <TextInput
                label="Group by"
                placeholder="ServiceName"
                value={draft.groupBy}
                onChange={(event) => change({ groupBy: event.currentTarget.value })}
              />
            </>
          )}
        </SimpleGrid>
      </Stack>
    </Panel>
  );
}

function RuleFields({ draft, change }: FieldsProps) {
  return (
    <Panel title="Condition">
      <SimpleGrid cols={{ base: 1, sm: 3 }}>
        <Select
          label="The value is"
          allowDeselect={false}
          data={Object.entries(thresholdSymbols).map(([value, label]) => ({ value, label }))}
          value={draft.thresholdType}
          onChange={(value) => value && change({ thresholdType: value as AlertDraft['thresholdType'] })}
        />
        <NumberInput
          label="Threshold"
          required
          value={draft.threshold}
          onChange={(threshold) => change({ threshold })}
        />
        {isRange(draft.thresholdType) ? (
          <NumberInput
            label="Upper threshold"
            required
            value={draft.thresholdMax}
            onChange={(thresholdMax) => change({ thresholdMax })}
          />
        ) : (
          <NumberInput
            label="Recovery threshold"
            description="Resolves only past this value"
            value={draft.recoveryThreshold}
            onChange={(recoveryThreshold) => change({ recoveryThreshold })}
          />
        )}
        <TextInput
          label="Interval"
          required
          placeholder="5m, 1h, 1d"
          value={draft.interval}
          onChange={(event) => change({ interval: event.currentTarget.value })}
        />
        <NumberInput
          label="Windows in a row"
          placeholder="1"
          min={1}
          value={draft.numConsecutiveWindows}
          onChange={(numConsecutiveWindows) => change({ numConsecutiveWindows })}
        />
        <Select
          label="Window without data"
          placeholder="By aggregation"
          clearable
          clearButtonProps={{ 'aria-label': 'By aggregation' }}
          data={Object.entries(missingDataLabels).map(([value, label]) => ({ value, label }))}
          value={draft.missingData}
          onChange={(value) => change({ missingData: value as AlertDraft['missingData'] })}
        />
        <TextInput
          label="Repeat every"
          placeholder="Never"
          value={draft.repeatInterval}
          onChange={(event) => change({ repeatInterval: event.currentTarget.value })}
        />
        <NumberInput
          label="Schedule offset (minutes)"
          placeholder="0"
          min={0}
          value={draft.scheduleOffsetMinutes}
          onChange={(scheduleOffsetMinutes) => change({ scheduleOffsetMinutes })}
        />
      </SimpleGrid>
    </Panel>
  );
}

function MessageFields({ draft, change }: FieldsProps) {
  const webhooks = useQuery(webhooksQuery).data;
  return (
    <Panel title="Notify">
      <Stack gap={12}>
        <MultiSelect
          // What has been chosen keeps the label that it had at first: the id, until the webhooks are known.
          key={webhooks ? 'known' : 'unknown'}
          label="Channels"
          required
          searchable
          data={(webhooks ?? []).map(({ id, name }) => ({ value: id, label: name }))}
          value={draft.webhookIds}
          onChange={(webhookIds) => change({ webhookIds })}
        />
        {webhooks?.length === 0 ? (
          <Text size="sm">
            There is no webhook yet.{' '}
            <AnchorLink to="/webhooks" size="sm" underline="always">
              Add one first
            </AnchorLink>
          </Text>
        ) : null}
        <TextInput label="Name" value={draft.name} onChange={(event) => change({ name: event.currentTarget.value })} />
        <Textarea
          label="Message"
          autosize
          minRows={3}
          value={draft.message}
          onChange={(event) => change({ message: event.currentTarget.value })}
        />
        <Text size="xs" c="dimmed">
          Name and message may hold: {templateVariables.map((name) => [<Code key={name}>{`{{${name}}}`}</Code>, ' '])}
        </Text>
        <Textarea
          label="Note"
          autosize
          value={draft.note}
          onChange={(event) => change({ note: event.currentTarget.value })}
        />
      </Stack>
    </Panel>
  );
}
