/**
 * Sent with every answer. Nothing loads from anywhere else, nothing runs inline, no other page may frame, open or
 * embed this one. No HSTS and no upgrade to https: the server speaks plain http on the loopback device.
 */
export const SECURITY_HEADERS = {
  'content-security-policy': [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "img-src 'self' data: blob:",
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; '),
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
} as const;

/** For bytes out of a session: even when opened as a page of its own they can do nothing. */
export const SANDBOX_CSP = "default-src 'none'; sandbox; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/** For answers that must not be kept: they change, or hold private text without a validator. */
export const NO_STORE = 'no-store';

/** For answers with an ETag: ask again each time, no shared cache. */
export const REVALIDATE = 'private, no-cache';
