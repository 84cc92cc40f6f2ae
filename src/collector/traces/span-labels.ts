/** Texts of `SpanKind` and `StatusCode` as the Collector's ClickHouse exporter writes them; unknown numbers are the first. */
const spanKinds = ['Unspecified', 'Internal', 'Server', 'Client', 'Producer', 'Consumer'] as const;
const statusCodes = ['Unset', 'Ok', 'Error'] as const;

export function spanKindText(kind: number): string {
  return spanKinds[kind] ?? spanKinds[0];
}

export function statusCodeText(code: number): string {
  return statusCodes[code] ?? statusCodes[0];
}
