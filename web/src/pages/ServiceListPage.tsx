import { SegmentedControl, Skeleton, TextInput } from '@mantine/core';
import { IconSearch } from '@tabler/icons-react';
import { useNavigate } from '@tanstack/react-router';
import { lazy, Suspense } from 'react';
import { ActivityLine } from '../features/services/ActivityLine.tsx';
import { FigureTable } from '../features/services/FigureTable.tsx';
import { ServiceLink } from '../features/services/ServiceLink.tsx';
import { ServiceSourceSelect } from '../features/services/ServiceSourceSelect.tsx';
import classes from '../features/services/Services.module.css';
import { SpanFilter, useSpanFilter } from '../features/services/SpanFilter.tsx';
import { printSorting, readSorting } from '../features/services/service-figures.ts';
import { type SpanRange, useActivities, useServices } from '../features/services/services-queries.ts';
import { useSpanSource } from '../features/services/use-span-source.ts';
import { TimeRangePicker } from '../features/time-range/TimeRangePicker.tsx';
import { useTimeRange } from '../features/time-range/use-time-range.ts';
import { EmptyState } from '../ui/EmptyState.tsx';
import { ErrorNotice } from '../ui/ErrorNotice.tsx';
import { ButtonLink } from '../ui/links.tsx';
import { Page } from '../ui/Page.tsx';
import { useUrlState, useUrlText } from '../url-state.ts';

const ServiceMapView = lazy(async () => ({
  default: (await import('../features/services/ServiceMapView.tsx')).ServiceMapView,
}));

/** All services of a trace source, as a list or as a map. */
export function ServiceListPage() {
  const [url, change] = useUrlState();
  const time = useTimeRange();
  const { source, isLoading, error } = useSpanSource();
  const filter = useSpanFilter();
  const view = url.view === 'map' ? 'map' : 'list';
  return (
    <Page
      title="Services"
      actions={
        <>
          <SegmentedControl
            aria-label="View"
            value={view}
            data={[
              { value: 'list', label: 'List' },
              { value: 'map', label: 'Map' },
            ]}
            onChange={(next) => change({ view: next === 'map' ? 'map' : undefined })}
          />
          <ServiceSourceSelect />
          <TimeRangePicker state={time} />
        </>
      }
    >
      {error ? <ErrorNotice error={error} /> : null}
      {isLoading ? <Skeleton height={320} /> : null}
      {source ? <Services spans={{ source, range: time.resolved, filter }} view={view} /> : null}
      {!source && !isLoading && !error ? (
        <EmptyState
          title="No trace source"
          hint="Services are found in the spans of a trace source."
          action={<ButtonLink to="/sources">Sources</ButtonLink>}
        />
      ) : null}
    </Page>
  );
}

function Services({ spans, view }: { spans: SpanRange; view: 'list' | 'map' }) {
  const navigate = useNavigate();
  const open = (service: string) => {
    void navigate({
      to: '/services/$service',
      params: { service },
      search: ({ from, to, source, where, lang }) => ({ from, to, source, where, lang }),
    });
  };
  // Read by the list or the map as well, whichever is shown.
  const { error } = useServices(spans);
  return (
    <>
      <SpanFilter source={spans.source} error={error} />
      {view === 'list' ? (
        <ServiceTable spans={spans} />
      ) : (
        <Suspense fallback={<Skeleton height={320} />}>
          <ServiceMapView spans={spans} onOpen={open} />
        </Suspense>
      )}
    </>
  );
}

function ServiceTable({ spans }: { spans: SpanRange }) {
  const [url, change] = useUrlState();
  const [text, setText] = useUrlText('text');
  const { data, error, refetch } = useServices(spans);
  const activities = useActivities(spans, data?.services);
  if (error) return <ErrorNotice error={error} onRetry={refetch} />;
  if (data?.services.length === 0) {
    return (
      <EmptyState
        title={spans.filter.where === '' ? 'No services in this range' : 'No service has such spans in this range'}
        hint="A service appears as soon as it sends spans. Choose another range, or connect an application."
        action={<ButtonLink to="/start">Send data</ButtonLink>}
      />
    );
  }
  const shown = data?.services.filter(({ name }) => name.toLowerCase().includes(text.trim().toLowerCase()));
  return (
    <div className={classes.listPanel}>
      <TextInput
        aria-label="Search by name"
        placeholder="Search by name"
        leftSection={<IconSearch size={14} />}
        maw={280}
        mb={8}
        value={text}
        onChange={(event) => setText(event.currentTarget.value)}
      />
      <FigureTable
        label="Services"
        nameLabel={shown ? `Service (${shown.length})` : 'Service'}
        rows={shown}
        sorting={readSorting(url.sort)}
        onSort={(sorting) => change({ sort: printSorting(sorting) })}
        renderName={({ name }) => <ServiceLink name={name} keepsFilter />}
        renderActivity={({ name }) => {
          const activity = activities?.get(name);
          return activity ? <ActivityLine activity={activity} range={spans.range} /> : null;
        }}
      />
    </div>
  );
}
