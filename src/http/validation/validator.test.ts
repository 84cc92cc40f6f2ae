import { Ajv2020 as Ajv } from 'ajv/dist/2020.js';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ProvisioningSchema } from '../../app/provisioning/provisioning-schema.ts';
import { AlertInputSchema } from '../../contract/alert.ts';
import { ChartRequestSchema } from '../../contract/chart.ts';
import { ConnectionInputSchema } from '../../contract/connection.ts';
import { UpdateDashboardSchema } from '../../contract/dashboard.ts';
import { KeyUpdateSchema } from '../../contract/key.ts';
import { PipeInputSchema } from '../../contract/pipe-input.ts';
import { SavedSearchInputSchema } from '../../contract/saved-search.ts';
import { SilenceInputSchema } from '../../contract/silence.ts';
import { SourceInputSchema } from '../../contract/source.ts';
import { TilesRequestSchema } from '../../contract/tile-query.ts';
import { WebhookInputSchema } from '../../contract/webhook.ts';
import { Findings } from './findings.ts';
import type { SchemaNode } from './schema-node.ts';
import { validatorOf } from './validator.ts';

const schemas: Record<string, object> = {
  ...{ AlertInputSchema, ChartRequestSchema, ConnectionInputSchema, KeyUpdateSchema, PipeInputSchema },
  ...{ ProvisioningSchema, SavedSearchInputSchema, SilenceInputSchema, SourceInputSchema, TilesRequestSchema },
  ...{ UpdateDashboardSchema, WebhookInputSchema },
};

const anything = fc.oneof(
  fc.constantFrom(null, true, 0, -1, 1.5, 1e12, '', 'x', '😀'.repeat(300), 'y'.repeat(300), [], {}, [null], {
    type: 1,
  }),
  fc.jsonValue({ maxDepth: 2 }),
);

/** Mostly what the schema asks for, so that the walk gets deep; every now and then something else. */
function valuesOf(node: SchemaNode): fc.Arbitrary<unknown> {
  return fc.oneof({ weight: 12, arbitrary: right(node) }, { weight: 1, arbitrary: anything });
}

function right(node: SchemaNode): fc.Arbitrary<unknown> {
  if (node.enum) return fc.constantFrom(...node.enum);
  if ('const' in node) return fc.constant(node.const);
  if (node.anyOf) return fc.oneof(...node.anyOf.map(valuesOf));
  const parts = [node.properties && object(node), node.oneOf && fc.oneof(...node.oneOf.map(valuesOf))];
  const branches = [node.then, node.else].filter((branch) => branch !== undefined);
  const all = [...parts, ...branches.map(valuesOf)].filter((part) => part !== undefined);
  if (all.length > 0) return fc.oneof(...all);
  return plain(node);
}

function object({ properties = {}, required = [] }: SchemaNode): fc.Arbitrary<unknown> {
  const fields = Object.entries(properties).map(([name, field]) => {
    const value = valuesOf(field);
    return [name, required.includes(name) ? value : fc.option(value, { nil: undefined, freq: 2 })] as const;
  });
  return fc.record({ ...Object.fromEntries(fields), other: fc.option(anything, { nil: undefined, freq: 20 }) });
}

function plain(node: SchemaNode): fc.Arbitrary<unknown> {
  switch (node.type) {
    case 'array':
      return fc.array(node.items ? valuesOf(node.items) : anything, { minLength: node.minItems ?? 0, maxLength: 3 });
    case 'integer':
      return fc.integer({ min: node.minimum ?? 0, max: node.maximum ?? 10 ** 6 });
    case 'number':
      return fc.double({ noNaN: true });
    case 'boolean':
      return fc.boolean();
    case 'null':
      return fc.constant(null);
    case 'string':
      return fc.oneof(
        fc.constantFrom('a'.repeat(24), '2030-01-01T00:00:00Z', '00000000-0000-4000-8000-000000000000', 'https://x.y'),
        fc.string({ minLength: node.minLength ?? 0, maxLength: (node.minLength ?? 0) + 8, unit: 'grapheme' }),
      );
    default:
      return anything;
  }
}

describe('a validator', () => {
  // The reference has to compile its validators first, which takes its time on a busy machine.
  it.each(Object.keys(schemas))('rejects what the reference rejects: %s', { timeout: 120_000 }, (name) => {
    const schema = schemas[name] ?? {};
    const reference = new Ajv({ strict: false, discriminator: true, strictNumbers: true, code: { optimize: false } });
    reference.addFormat('date-time', true);
    const isRight = reference.compile(schema);
    const validate = validatorOf(schema);
    fc.assert(
      fc.property(valuesOf(schema), (value) => {
        const findings = new Findings();
        validate(value, findings);
        expect(findings.list.length === 0, JSON.stringify(findings.list)).toBe(isRight(value));
      }),
      { numRuns: 500 },
    );
  });

  it('rejects a schema with a rule that it would ignore', () => {
    expect(() => validatorOf({ type: 'number', multipleOf: 2 })).toThrow('multipleOf');
    expect(() => validatorOf({ items: { uniqueItems: true } })).toThrow('uniqueItems');
  });
});
