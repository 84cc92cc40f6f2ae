import { ActionIcon } from '@mantine/core';
import { IconStar, IconStarFilled } from '@tabler/icons-react';
import { useFavourites, useSetFavourite } from './favourite-queries.ts';

export interface FavouriteButtonProps {
  id: string;
  name: string;
  /** As the buttons of a page's head. */
  large?: boolean;
}

/** Makes a dashboard a favourite of the person, or takes that back. */
export function FavouriteButton({ id, name, large = false }: FavouriteButtonProps) {
  const isFavourite = useFavourites().has(id);
  const set = useSetFavourite();
  const Icon = isFavourite ? IconStarFilled : IconStar;
  return (
    <ActionIcon
      variant={large ? 'default' : 'subtle'}
      color={isFavourite ? 'signal' : 'gray'}
      {...(large ? { size: 30 } : {})}
      aria-label={`Favourite ${name}`}
      aria-pressed={isFavourite}
      onClick={() => set.mutate({ id, isFavourite: !isFavourite })}
    >
      <Icon size={15} />
    </ActionIcon>
  );
}
