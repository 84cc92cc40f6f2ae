import { Button, Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { FrontDoor } from '../ui/FrontDoor.tsx';

export function NotFoundPage() {
  return (
    <FrontDoor title="There is no such page">
      <Text size="sm">The address may be mistyped, or what it showed was deleted.</Text>
      <Button component={Link} to="/">
        To the start
      </Button>
    </FrontDoor>
  );
}
