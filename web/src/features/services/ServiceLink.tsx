import { AnchorLink } from '../../ui/links.tsx';

export interface ServiceLinkProps {
  name: string;
  /** The filter in the address is one of spans, and goes with the link. */
  keepsFilter?: boolean;
  tabIndex?: number;
}

/** The name of a service, which leads to its page. A source of logs in the address leads to its traces there. */
export function ServiceLink({ name, keepsFilter = false, ...rest }: ServiceLinkProps) {
  if (name === '') return <>no service</>;
  return (
    <AnchorLink
      to="/services/$service"
      params={{ service: name }}
      search={({ from, to, source, where, lang }) => ({ from, to, source, ...(keepsFilter && { where, lang }) })}
      size="sm"
      {...rest}
    >
      {name}
    </AnchorLink>
  );
}
