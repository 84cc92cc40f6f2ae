import { Text } from '@mantine/core';
import type { AlertAcknowledged } from '../../../../src/contract/alert.ts';
import { instantText } from '../../ui/instant-text.ts';
import { usePersonName } from '../team/team-queries.ts';

/** Who works on a firing alert, since when, and what they said. */
export function AcknowledgedBy({ acknowledged, size }: { acknowledged: AlertAcknowledged; size: 'xs' | 'sm' }) {
  const nameOf = usePersonName();
  const { by, at, comment } = acknowledged;
  return (
    <Text size={size} c={size === 'xs' ? 'dimmed' : 'inherit'} className="long-text">
      Acknowledged by {nameOf(by)}, {instantText(at)}
      {comment ? `: ${comment}` : ''}
    </Text>
  );
}
