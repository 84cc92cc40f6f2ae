import { Button } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { EmptyState } from '../ui/EmptyState.tsx';

export function NotFoundPage() {
  return (
    <EmptyState
      title="There is no such page"
      hint="The address may be mistyped, or what it showed was deleted."
      action={
        <Button component={Link} to="/">
          To the start
        </Button>
      }
    />
  );
}
