import { Type } from 'typebox';
import { UuidSchema } from './identifiers.ts';

export const OrganizationSchema = Type.Object({ id: UuidSchema, name: Type.String() }, { title: 'Organization' });

export const ServiceSchema = Type.Object(
  { id: UuidSchema, name: Type.String(), organizationId: UuidSchema },
  { title: 'Service' },
);

export const ServiceInputSchema = Type.Object(
  { name: Type.String({ minLength: 1, maxLength: 256 }) },
  { title: 'ServiceInput', additionalProperties: false },
);
