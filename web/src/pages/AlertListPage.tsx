import { Group, Select, Skeleton, Text, TextInput } from '@mantine/core';
import { IconPlus, IconSearch } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { AlertBulk } from '../features/alerts/AlertBulk.tsx';
import { AlertTable } from '../features/alerts/AlertTable.tsx';
import { stateLabels } from '../features/alerts/alert-labels.ts';
import { alertsQuery } from '../features/alerts/alert-queries.ts';
import { sortAlerts } from '../features/alerts/sort-alerts.ts';
import { useWatchedNames } from '../features/alerts/use-watched-names.ts';
import { EmptyState } from '../ui/EmptyState.tsx';
import { ErrorNotice } from '../ui/ErrorNotice.tsx';
import { ButtonLink } from '../ui/links.tsx';
import { Page } from '../ui/Page.tsx';
import { Paged } from '../ui/Pages.tsx';
import { Panel } from '../ui/Panel.tsx';
import { useUrlState, useUrlText } from '../url-state.ts';

const states = Object.entries(stateLabels).map(([value, label]) => ({ value, label }));

/** Every alert with its state, as of a few seconds ago; what needs a person comes first. */
export function AlertListPage() {
  const alerts = useQuery(alertsQuery);
  const { watched } = useWatchedNames();
  const [{ state }, setUrl] = useUrlState();
  const [text, setText] = useUrlText('text');
  const wanted = text.toLowerCase();
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set());
  const shown = sortAlerts(alerts.data ?? []).filter(
    (alert) =>
      (!state || alert.state === state) && `${alert.name ?? ''} ${watched(alert).label}`.toLowerCase().includes(wanted),
  );
  const chosenAlerts = shown.filter(({ id }) => chosen.has(id));
  return (
    <Page title="Alerts" actions={<NewAlert />}>
      {alerts.error ? <ErrorNotice error={alerts.error} onRetry={() => void alerts.refetch()} /> : null}
      {alerts.isPending ? <Skeleton height={180} /> : null}
      {alerts.data?.length === 0 ? (
        <EmptyState
          title="No alerts yet"
          hint="An alert watches a dashboard tile or a saved search, compares each time window with a threshold and notifies a webhook when it fires and when it resolves. Add a webhook first, then choose what to watch."
          action={
            <ButtonLink to="/webhooks" variant="default">
              Add a webhook
            </ButtonLink>
          }
        />
      ) : null}
      {alerts.data && alerts.data.length > 0 ? (
        <Panel>
          <Group gap={8} mb={10}>
            <TextInput
              aria-label="Filter by text"
              placeholder="Filter by text"
              leftSection={<IconSearch size={14} />}
              value={text}
              onChange={(event) => setText(event.currentTarget.value)}
            />
            <Select
              aria-label="Filter by state"
              placeholder="Any state"
              clearable
              clearButtonProps={{ 'aria-label': 'Any state' }}
              data={states}
              value={state ?? null}
              onChange={(value) => setUrl({ state: value ?? undefined })}
            />
          </Group>
          {chosenAlerts.length > 0 ? <AlertBulk chosen={chosenAlerts} onDone={() => setChosen(new Set())} /> : null}
          {shown.length > 0 ? (
            <Paged label="alerts" rows={shown}>
              {(rows) => <AlertTable alerts={rows} chosen={chosen} onChoose={setChosen} />}
            </Paged>
          ) : (
            <Text size="sm">No alerts match these filters.</Text>
          )}
        </Panel>
      ) : null}
    </Page>
  );
}

function NewAlert() {
  return (
    <ButtonLink to="/alerts/new" leftSection={<IconPlus size={14} />}>
      New alert
    </ButtonLink>
  );
}
