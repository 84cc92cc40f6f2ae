import { AnchorLink } from '../../ui/links.tsx';

/** The name of a service, which leads to its page. A source of logs in the address leads to its traces there. */
export function ServiceLink({ name }: { name: string }) {
  if (name === '') return <>no service</>;
  return (
    <AnchorLink
      to="/services/$service"
      params={{ service: name }}
      search={({ from, to, source }) => ({ from, to, source })}
      size="sm"
    >
      {name}
    </AnchorLink>
  );
}
