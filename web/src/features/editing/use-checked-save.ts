import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { same } from './differences.ts';

/** Someone else saved in between: what was read, my edit of it, and what is stored now. */
export interface Conflict<T> {
  base: T;
  mine: T;
  theirs: T;
}

export interface CheckedSave<T, Saved> {
  /** What the edit began with; absent where something new is made. */
  base: T | undefined;
  /** What is stored now, in the form of `base`. */
  read: () => Promise<T>;
  write: (body: T) => Promise<Saved>;
  onSaved: (saved: Saved, body: T) => void;
}

/**
 * Saves what replaces the whole of something that the API keeps no versions of: what is stored is read just before, and
 * where it is another than the edit began with, nothing is written but the conflict shown.
 */
export function useCheckedSave<T extends object, Saved>({ base, read, write, onSaved }: CheckedSave<T, Saved>) {
  const [conflict, setConflict] = useState<Conflict<T>>();
  const saving = useMutation({
    mutationFn: async ({ mine, over }: { mine: T; over: T | undefined }) => {
      const theirs = over ? await read() : undefined;
      if (over && theirs && !same(over, theirs)) return { conflict: { base: over, mine, theirs } };
      return { saved: await write(mine) };
    },
    onSuccess: (outcome, { mine }) => {
      setConflict(outcome.conflict);
      if (outcome.saved !== undefined) onSaved(outcome.saved, mine);
    },
  });
  return {
    save: (mine: T) => saving.mutate({ mine, over: base }),
    /** Saves what was chosen over what was stored when the conflict was shown. */
    resolve: (merged: T) => saving.mutate({ mine: merged, over: conflict?.theirs }),
    conflict,
    closeConflict: () => setConflict(undefined),
    isPending: saving.isPending,
    error: saving.error,
  };
}
