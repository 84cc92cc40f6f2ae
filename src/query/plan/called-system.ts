import type { Scope } from '../schema/scope.ts';
import type { OutputColumn } from './select.ts';
import { attributeText, firstText } from './span-attributes.ts';
import { alias, binary, call, emptyText, type SqlExpr, word } from './sql-expr.ts';

/** The names that OpenTelemetry's semantic conventions have had for each, the newest first. */
export const calledSystemKeys = {
  peer: ['service.peer.name', 'peer.service'],
  database: ['db.system.name', 'db.system'],
  namespace: ['db.namespace', 'db.name'],
  messaging: ['messaging.system'],
  // A template where the names of topics are made for one use.
  destination: ['messaging.destination.template', 'messaging.destination.name', 'messaging.destination'],
  address: ['server.address', 'net.peer.name', 'network.peer.address', 'net.sock.peer.name', 'net.sock.peer.addr'],
  host: ['http.host'],
  url: ['url.full', 'http.url'],
  rpc: ['rpc.service'],
} as const;

/** What the span of a client, producer or consumer says of the other side, each '' where it does not. */
export function calledColumns(scope: Scope): OutputColumn[] {
  const texts = (of: keyof typeof calledSystemKeys): SqlExpr[] =>
    calledSystemKeys[of].flatMap((key) => attributeText(key, scope));
  const hosts = texts('url').map((url) => call('domain', url));
  return [
    { as: 'messaging', expr: firstText(texts('messaging')) },
    { as: 'database', expr: firstText(texts('database')) },
    { as: 'destination', expr: firstText(texts('destination')) },
    { as: 'namespace', expr: firstText(texts('namespace')) },
    { as: 'peer', expr: firstText(texts('peer')) },
    { as: 'address', expr: firstText(texts('address')) },
    { as: 'host', expr: firstText([...texts('host'), ...hosts, ...texts('rpc')]) },
  ];
}

/** `kind` and `name` of the other side, over the columns of `calledColumns`; the name may be ''. */
export function calledSystem(): { kind: SqlExpr; name: SqlExpr } {
  const isSet = (text: SqlExpr): SqlExpr => binary(text, '!=', emptyText);
  const first = (...names: readonly string[]): SqlExpr => firstText(names.map(alias));
  const [messaging, database] = [alias('messaging'), alias('database')];
  const named = (system: SqlExpr, part: SqlExpr): SqlExpr =>
    call('if', isSet(part), call('concat', system, word(' '), part), system);
  return {
    kind: call('multiIf', isSet(messaging), word('messaging'), isSet(database), word('database'), word('external')),
    name: call(
      'multiIf',
      isSet(messaging),
      named(messaging, first('destination', 'address')),
      isSet(database),
      call('if', isSet(alias('peer')), alias('peer'), named(database, first('namespace', 'address'))),
      first('peer', 'address', 'host'),
    ),
  };
}
