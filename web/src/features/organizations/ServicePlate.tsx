import { Anchor, Text } from '@mantine/core';
import { IconArrowLeft } from '@tabler/icons-react';
import { useSession } from '../../api/session.ts';
import { basePath } from '../../boot.ts';
import type { ServicePlace } from '../../service-place.ts';
import { useService } from './organization-queries.ts';
import classes from './ServicePlate.module.css';

/** In which service the person is, and the way out of it. */
export function ServicePlate({ place: { organizationId, serviceId } }: { place: ServicePlace }) {
  const service = useService(organizationId, serviceId);
  const organization = useSession()?.organizations.find(({ id }) => id === organizationId.toLowerCase());
  const [href, name] = organization
    ? [`${basePath}organizations/${organization.id}`, organization.name]
    : [`${basePath}organizations`, 'Organizations'];
  return (
    <div className={classes.plate}>
      <Anchor href={href} size="xs" c="var(--sb-muted)" className={classes.out ?? ''} title={name}>
        <IconArrowLeft size={12} aria-hidden />
        <span className={classes.name}>{name}</span>
      </Anchor>
      <Text size="sm" fw={600} className={classes.name ?? ''} title={service.data?.name}>
        {service.data?.name ?? 'Service'}
      </Text>
    </div>
  );
}
