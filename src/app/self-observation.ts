import { selfTelemetryDatabaseOf } from '../access/telemetry-database.ts';
import type { Tenant, TenantDirectory } from '../access/tenants.ts';
import type { Intake } from '../collector/intake.ts';
import type { RequestDone, RequestObserver } from '../http/request-done.ts';
import type { FinishedSpan, OpenSpan, Tracer } from '../kernel/tracer.ts';
import type { SelfTelemetrySink } from '../self-telemetry/self-telemetry.ts';

/** The program's own telemetry goes to a separate database, which the first team may read. */
export function selfTelemetryHome(tenants: TenantDirectory): TenantDirectory {
  const homeOf = (tenant: Tenant) => {
    const telemetryDatabase = selfTelemetryDatabaseOf(tenant);
    return telemetryDatabase === undefined ? [] : [{ ...tenant, telemetryDatabase }];
  };
  return {
    find: async (id) => [await tenants.find(id)].flatMap((tenant) => (tenant ? homeOf(tenant) : []))[0],
    list: async () => (await tenants.list()).flatMap(homeOf),
  };
}

/** Uses the collector's pipeline, so that self-telemetry takes the same path as any other data. */
export class FirstTenantSink implements SelfTelemetrySink {
  readonly #tenants: TenantDirectory;
  readonly #intake: Pick<Intake, 'accept'>;
  #tenantId: string | undefined;

  constructor(tenants: TenantDirectory, intake: Pick<Intake, 'accept'>) {
    this.#tenants = tenants;
    this.#intake = intake;
  }

  async accept(...[signal, request]: Parameters<SelfTelemetrySink['accept']>): Promise<void> {
    this.#tenantId ??= (await this.#tenants.list())[0]?.id;
    if (!this.#tenantId) return;
    await this.#intake.accept(this.#tenantId, signal, Buffer.from(JSON.stringify(request)), 'json');
  }
}

/** Each answered request as a server span. */
export function requestSpans(tracer: Tracer): RequestObserver {
  return (done) => {
    if (done.span) tracer.record(spanOf(done, done.span));
  };
}

function spanOf(done: RequestDone, span: OpenSpan): FinishedSpan {
  const { method, route, status, startMs, endMs, requestId, tenantId } = done;
  return {
    ...span,
    name: `${method} ${route}`,
    kind: 'server',
    startMs,
    endMs,
    failed: status >= 500,
    attributes: {
      'http.request.method': method,
      'http.route': route,
      'http.response.status_code': status,
      'signalbox.request_id': requestId,
      'signalbox.tenant_id': tenantId,
    },
  };
}
