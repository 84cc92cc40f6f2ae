import { Type } from 'typebox';
import { UuidSchema } from './identifiers.ts';
import { rejectedKeys } from './rejected-key.ts';

export const OrganizationSchema = Type.Object({ id: UuidSchema, name: Type.String() }, { title: 'Organization' });

export const ServiceSchema = Type.Object(
  { id: UuidSchema, name: Type.String(), organizationId: UuidSchema },
  { title: 'Service' },
);

/** A service that was made, in the form of the cloud API; there is no password, as there is no database user. */
export const NewServiceSchema = Type.Object({ service: ServiceSchema }, { title: 'NewService' });

/** What a service of the cloud API is made of besides its name. */
const fieldsElsewhere = [
  'provider',
  'region',
  'tier',
  'ipAccessList',
  'minTotalMemoryGb',
  'maxTotalMemoryGb',
  'autoscalingMode',
  'minReplicaMemoryGb',
  'maxReplicaMemoryGb',
  'numReplicas',
  'minReplicas',
  'maxReplicas',
  'idleScaling',
  'idleTimeoutMinutes',
  'isReadonly',
  'dataWarehouseId',
  'backupId',
  'backupEncryptionConfig',
  'privateEndpointIds',
  'privatePreviewTermsChecked',
  'releaseChannel',
  'byocId',
  'hasTransparentDataEncryption',
  'endpoints',
  'profile',
  'complianceType',
  'tags',
  'enableCoreDumps',
] as const;

export const ServiceInputSchema = Type.Object(
  {
    name: Type.String({ minLength: 1, maxLength: 256 }),
    ...rejectedKeys(fieldsElsewhere, 'is not supported: a service has only a name'),
  },
  { title: 'ServiceInput' },
);
