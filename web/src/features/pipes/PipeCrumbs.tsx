import type { Pipe } from '../../../../src/contract/pipe.ts';
import { CrumbLink } from '../../ui/links.tsx';

/** Links to the pages that a page of a pipe is in; `pipe` where it has a page of its parts. */
export function PipeCrumbs({ pipe }: { pipe?: Pick<Pipe, 'id' | 'name'> | undefined }) {
  return (
    <>
      <CrumbLink to="/pipes">Pipes</CrumbLink>
      {pipe ? (
        <CrumbLink to="/pipes/$pipeId" params={{ pipeId: pipe.id }}>
          {pipe.name}
        </CrumbLink>
      ) : null}
    </>
  );
}
