import { Type } from 'typebox';

/** A name of the IANA time zone database; whether there is such a zone is checked where it is read. */
export const TimeZoneName = (description: string) =>
  Type.String({ minLength: 1, maxLength: 64, description, examples: ['Europe/Berlin'] });
