import { describe, expect, it } from 'vitest';
import { SessionCookie } from './session-cookie.ts';

const token = 'a'.repeat(64);

describe('the session cookie', () => {
  it.each([
    ['http://localhost:8080', 'Path=/; HttpOnly; SameSite=Lax'],
    ['https://obs.example.com', 'Path=/; HttpOnly; SameSite=Lax; Secure'],
    ['https://obs.example.com/watch/', 'Path=/watch; HttpOnly; SameSite=Lax; Secure'],
    ['http://obs.example.com/a;Domain=evil.example', 'Path=/a%3BDomain=evil.example; HttpOnly; SameSite=Lax'],
  ])('decisions K3: at %s has the attributes %s', (publicUrl, attributes) => {
    const cookie = new SessionCookie(publicUrl);
    expect(cookie.set(token)).toBe(`signalbox_session=${token}; ${attributes}; Max-Age=1209600`);
    expect(cookie.clear()).toBe(`signalbox_session=; ${attributes}; Max-Age=0`);
  });

  it.each([
    [undefined, undefined],
    ['', undefined],
    [`signalbox_session=${token}`, token],
    [`theme=dark; signalbox_session=${token}; lang=en`, token],
    [`theme=dark;signalbox_session = ${token}`, token],
    ['signalbox_session', undefined],
    ['=x; signalbox_session=', ''],
    [`xsignalbox_session=${token}`, undefined],
    [`SIGNALBOX_SESSION=${token}`, undefined],
    [`signalbox_session=first; signalbox_session=second`, 'first'],
    [`signalbox_session=${token}; ${'x'.repeat(16_384)}`, undefined],
  ])('is read from %j as %j', (header, expected) => {
    expect(new SessionCookie('http://localhost').read(header)).toBe(expected);
  });
});
