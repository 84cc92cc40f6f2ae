import { Group, Text, TextInput } from '@mantine/core';
import { IconPlus, IconSearch } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { AlertRecord } from '../../../src/contract/alert.ts';
import { trendLimits } from '../../../src/contract/trend-limits.ts';
import { AlertBulk } from '../features/alerts/AlertBulk.tsx';
import { AlertTable } from '../features/alerts/AlertTable.tsx';
import { alertsQuery } from '../features/alerts/alert-queries.ts';
import { StateFilter } from '../features/alerts/StateFilter.tsx';
import { type AlertOrder, alertOrders, byName, longestFirst, sortAlerts } from '../features/alerts/sort-alerts.ts';
import { useWatchedNames } from '../features/alerts/use-watched-names.ts';
import { EmptyState } from '../ui/EmptyState.tsx';
import { ErrorNotice } from '../ui/ErrorNotice.tsx';
import { ButtonLink } from '../ui/links.tsx';
import { Page } from '../ui/Page.tsx';
import { Paged } from '../ui/Pages.tsx';
import { Panel } from '../ui/Panel.tsx';
import { useUrlState, useUrlText } from '../url-state.ts';

/** Every alert with its state, as of a few seconds ago; what needs a person comes first. */
export function AlertListPage() {
  const alerts = useQuery(alertsQuery);
  const { watched } = useWatchedNames();
  const [{ state, sort }, setUrl] = useUrlState();
  const [text, setText] = useUrlText('text');
  const wanted = text.toLowerCase();
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set());
  const nameOf = (alert: AlertRecord) => alert.name ?? watched(alert).label;
  const found = (alerts.data ?? []).filter((alert) =>
    `${alert.name ?? ''} ${watched(alert).label}`.toLowerCase().includes(wanted),
  );
  const order = alertOrders.find((known) => known === sort) ?? 'state';
  const shown = ordered(found, order, nameOf).filter((alert) => !state || alert.state === state);
  const chosenAlerts = shown.filter(({ id }) => chosen.has(id));
  return (
    <Page title="Alerts" actions={<NewAlert />}>
      {alerts.error ? <ErrorNotice error={alerts.error} onRetry={() => void alerts.refetch()} /> : null}
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
      {alerts.isPending || (alerts.data && alerts.data.length > 0) ? (
        <Panel>
          <Group gap={8} mb={10}>
            <TextInput
              aria-label="Filter by text"
              placeholder="Filter by text"
              leftSection={<IconSearch size={14} />}
              value={text}
              onChange={(event) => setText(event.currentTarget.value)}
            />
            <StateFilter
              alerts={alerts.data && found}
              chosen={state}
              onChoose={(chosenState) => setUrl({ state: chosenState })}
            />
          </Group>
          {chosenAlerts.length > 0 ? <AlertBulk chosen={chosenAlerts} onDone={() => setChosen(new Set())} /> : null}
          {shown.length > 0 || !alerts.data ? (
            <Paged label="alerts" rows={alerts.data && shown} pageSize={trendLimits.alerts}>
              {(rows) => (
                <AlertTable
                  alerts={rows}
                  atMs={alerts.dataUpdatedAt}
                  order={order}
                  onOrder={(next) => setUrl({ sort: next === 'state' ? undefined : next })}
                  chosen={chosen}
                  onChoose={setChosen}
                />
              )}
            </Paged>
          ) : (
            <Text size="sm">No alerts match these filters.</Text>
          )}
        </Panel>
      ) : null}
    </Page>
  );
}

function ordered(alerts: readonly AlertRecord[], order: AlertOrder, nameOf: (alert: AlertRecord) => string) {
  const sorted = sortAlerts(alerts);
  if (order === 'since') return longestFirst(sorted);
  return order === 'name' ? byName(sorted, nameOf) : sorted;
}

function NewAlert() {
  return (
    <ButtonLink to="/alerts/new" leftSection={<IconPlus size={14} />}>
      New alert
    </ButtonLink>
  );
}
