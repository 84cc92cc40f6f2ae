import { TargetBlockedError } from '../../kernel/target-blocked-error.ts';
import { SourceError } from '../source-port.ts';

/** SQLSTATEs that someone has to do something about, as sentences. */
const rejections: Readonly<Record<string, string>> = {
  '28P01': 'PostgreSQL does not accept the user name or the password.',
  '28000': 'PostgreSQL does not let the user connect from here, or not for replication; see its pg_hba.conf.',
  '3D000': 'PostgreSQL has no database with the name that source.postgres.database gives.',
  '42501': 'The user lacks a privilege in PostgreSQL; docs/pipes.md lists those that a pipe needs.',
  '42P01': 'A table of the pipe no longer exists in PostgreSQL.',
  '42703': 'A column of the pipe no longer exists in PostgreSQL.',
  '42704': 'The replication slot or the publication no longer exists in PostgreSQL; resync the pipe.',
  '53400': 'PostgreSQL has no free replication slot; raise max_replication_slots, or drop slots that are not used.',
  '55000':
    'PostgreSQL can no longer send the changes from where the pipe stopped (it has removed them, or wal_level is not logical); resync the pipe.',
  '0A000': 'This PostgreSQL server cannot do what the pipe needs; version 11 or later is required.',
};
/** Of the client, whose own errors have no code. */
const connectionMessage = /connection|timeout|terminated|stream|SSL/i;
const certificateCode = /^(CERT_|ERR_TLS|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO_)/;

/**
 * What went wrong at the source, in our words: those of the server may hold rows, names or addresses. Errors that are not
 * the source's stay as they are.
 */
export function sourceErrorOf(error: unknown): unknown {
  if (error instanceof TargetBlockedError) {
    return new SourceError('rejected', `source.postgres.host: ${error.message}`, error);
  }
  const { code, message } = textsOf(error);
  const isOfSource = code !== '' || connectionMessage.test(message);
  if (!isOfSource || (error instanceof Error && 'inOwnWords' in error)) return error;
  const sentence = Object.hasOwn(rejections, code) ? rejections[code] : undefined;
  if (sentence) return new SourceError('rejected', sentence, error);
  if (certificateCode.test(code)) {
    return new SourceError(
      'rejected',
      'The certificate of the PostgreSQL server cannot be verified; set caCertificate or tlsHost of source.postgres.',
      error,
    );
  }
  if (message.includes('does not support SSL')) {
    return new SourceError(
      'rejected',
      'The PostgreSQL server does not offer TLS; set source.postgres.disableTls to connect without it.',
      error,
    );
  }
  if (code === '55006') {
    return new SourceError('away', 'The replication slot is used by another connection right now.', error);
  }
  if (/^(42|22|23)...$/.test(code)) {
    return new SourceError('rejected', `PostgreSQL rejects what the pipe asks for (SQLSTATE ${code}).`, error);
  }
  return new SourceError('away', 'The PostgreSQL server cannot be reached right now.', error);
}

function textsOf(error: unknown): { code: string; message: string } {
  const code = typeof error === 'object' && error !== null && 'code' in error ? String(error.code) : '';
  return { code, message: error instanceof Error ? error.message : '' };
}
