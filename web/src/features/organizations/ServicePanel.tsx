import { Anchor, Box, Button, Group, Stack, Table, Text, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { basePath } from '../../boot.ts';
import { servicePagesPath } from '../../service-place.ts';
import { EmptyState } from '../../ui/EmptyState.tsx';
import { ErrorNotice } from '../../ui/ErrorNotice.tsx';
import { Panel } from '../../ui/Panel.tsx';
import { RowSkeleton } from '../../ui/RowSkeleton.tsx';
import { useCreateService, useServices } from './organization-queries.ts';

/** The services of an organization, and a line to make one more. */
export function ServicePanel({ organizationId }: { organizationId: string }) {
  const services = useServices(organizationId);
  return (
    <Panel title="Services" description="Each has its own data, dashboards, alerts and pipes.">
      <Stack gap={12}>
        {services.error ? <ErrorNotice error={services.error} onRetry={services.refetch} /> : null}
        {services.data?.length === 0 ? (
          <EmptyState
            title="No services yet"
            hint="Telemetry is sent to a service with that service’s ingestion key. Create the first service below."
          />
        ) : null}
        <Table aria-label="Services">
          <Table.Tbody>
            {services.isPending ? <RowSkeleton rows={2} columns={['base', 'sm']} /> : null}
            {services.data?.map(({ id, name }) => (
              <Table.Tr key={id}>
                <Table.Td className="long-text">
                  <Anchor href={servicePagesPath(basePath, organizationId, id)} size="sm">
                    {name}
                  </Anchor>
                  <Box hiddenFrom="sm">
                    <ServiceId id={id} />
                  </Box>
                </Table.Td>
                <Table.Td visibleFrom="sm">
                  <ServiceId id={id} />
                </Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
        <ServiceForm organizationId={organizationId} />
      </Stack>
    </Panel>
  );
}

function ServiceId({ id }: { id: string }) {
  return (
    <Text span size="xs" c="var(--sb-muted)" ff="monospace" style={{ whiteSpace: 'nowrap' }}>
      {id}
    </Text>
  );
}

function ServiceForm({ organizationId }: { organizationId: string }) {
  const create = useCreateService(organizationId);
  const form = useForm({ initialValues: { name: '' } });
  const submit = form.onSubmit(({ name }) => create.mutate(name, { onSuccess: () => form.reset() }));
  return (
    <form onSubmit={submit}>
      {create.error ? <ErrorNotice error={create.error} /> : null}
      <Group align="flex-end">
        <TextInput label="Name of a new service" required maxLength={256} {...form.getInputProps('name')} />
        <Button type="submit" loading={create.isPending}>
          Create service
        </Button>
      </Group>
    </form>
  );
}
