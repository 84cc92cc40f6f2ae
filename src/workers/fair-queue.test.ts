import { describe, expect, it } from 'vitest';
import { FairQueue } from './fair-queue.ts';

function filled(items: Record<string, number>, runningPerTenantMax = 1) {
  const queue = new FairQueue<string>({ waitingPerTenantMax: 100, runningPerTenantMax });
  for (const [tenant, count] of Object.entries(items)) {
    for (let number = 1; number <= count; number++) queue.offer(tenant, `${tenant}${number}`);
  }
  return queue;
}

describe('the fair queue', () => {
  it('lets tenants take turns, each in its own order', () => {
    const queue = filled({ a: 3, b: 1, c: 2 });
    const order: string[] = [];
    for (let next = queue.take(); next; next = queue.take()) {
      order.push(next.item);
      queue.finished(next.tenantId);
    }
    expect(order).toEqual(['a1', 'b1', 'c1', 'a2', 'c2', 'a3']);
  });

  it('leaves room beside a tenant that has many', () => {
    const queue = filled({ a: 5 }, 2);
    expect([queue.take()?.item, queue.take()?.item, queue.take()?.item]).toEqual(['a1', 'a2', undefined]);
    queue.offer('b', 'b1');
    expect(queue.take()?.item).toBe('b1');
    queue.finished('a');
    expect(queue.take()?.item).toBe('a3');
  });

  it('rejects what exceeds the tenant’s share, and no other tenant’s items', () => {
    const queue = new FairQueue<number>({ waitingPerTenantMax: 2, runningPerTenantMax: 1 });
    expect([1, 2, 3].map((item) => queue.offer('a', item))).toEqual([true, true, false]);
    expect(queue.offer('b', 1)).toBe(true);
  });

  it('hands out what waits when it is cleared', () => {
    const queue = filled({ a: 2, b: 1 });
    queue.take();
    expect(queue.clear()).toEqual(['b1', 'a2']);
    expect(queue.take()).toBeUndefined();
  });
});
