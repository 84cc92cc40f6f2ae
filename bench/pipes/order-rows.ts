/** Rows as services write them: about 200 bytes of JSON each. */
export const columns = [
  { name: 'id', type: 'UInt64' },
  { name: 'at', type: 'DateTime' },
  { name: 'service', type: 'LowCardinality(String)' },
  { name: 'level', type: 'LowCardinality(String)' },
  { name: 'message', type: 'String' },
  { name: 'amount', type: 'Float64' },
] as const;

const services = ['cart', 'checkout', 'payment', 'search', 'shipping'];
const levels = ['debug', 'info', 'info', 'info', 'warn', 'error'];
const startS = 1_790_000_000;

export function jsonLines(from: number, count: number): string[] {
  return Array.from({ length: count }, (_, index) => {
    const id = from + index;
    const service = services[id % services.length];
    const level = levels[id % levels.length];
    const message = `order ${id * 7_919} of customer ${id % 9_973} was taken by ${service} after ${id % 457} ms of waiting`;
    const at = new Date((startS + id) * 1000).toISOString().slice(0, 19).replace('T', ' ');
    return JSON.stringify({ id, at, service, level, message, amount: (id % 100_000) / 100 });
  });
}
