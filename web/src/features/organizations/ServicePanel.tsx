import { Anchor, Button, Group, Skeleton, Stack, Table, Text, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { Link } from '@tanstack/react-router';
import { EmptyState } from '../../ui/EmptyState.tsx';
import { ErrorNotice } from '../../ui/ErrorNotice.tsx';
import { Panel } from '../../ui/Panel.tsx';
import { servicePath, useCreateService, useServices } from './organization-queries.ts';

/** The services of an organization, and a line to make one more. */
export function ServicePanel({ organizationId }: { organizationId: string }) {
  const services = useServices(organizationId);
  return (
    <Panel title="Services" description="Each has data, dashboards, alerts and pipes of its own.">
      <Stack gap={12}>
        {services.error ? <ErrorNotice error={services.error} onRetry={services.refetch} /> : null}
        {services.isPending ? <Skeleton h={80} /> : null}
        {services.data?.length === 0 ? <EmptyState title="No services yet" hint="Create the first one below." /> : null}
        <Table aria-label="Services">
          <Table.Tbody>
            {services.data?.map(({ id, name }) => (
              <Table.Tr key={id}>
                <Table.Td>
                  <Anchor component={Link} to={`/${servicePath(organizationId, id)}`} size="sm">
                    {name}
                  </Anchor>
                </Table.Td>
                <Table.Td>
                  <Text size="xs" c="var(--sb-muted)" ff="monospace">
                    {id}
                  </Text>
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
