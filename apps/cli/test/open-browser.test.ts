import { describe, expect, it } from 'vitest';

import { browserCommand } from '../src/open-browser.ts';

const url = 'http://127.0.0.1:4317';

describe('browserCommand', () => {
  it('opens nothing where there is no display', () => {
    expect(browserCommand(url, 'linux', {})).toBeUndefined();
    expect(browserCommand(url, 'linux', { DISPLAY: '', WAYLAND_DISPLAY: '' })).toBeUndefined();
  });

  it('opens nothing on a build machine', () => {
    expect(browserCommand(url, 'linux', { DISPLAY: ':0', CI: 'true' })).toBeUndefined();
    expect(browserCommand(url, 'darwin', { CI: '1' })).toBeUndefined();
  });

  it('uses the opener of the platform', () => {
    expect(browserCommand(url, 'linux', { DISPLAY: ':0' })).toEqual(['xdg-open', url]);
    expect(browserCommand(url, 'linux', { WAYLAND_DISPLAY: 'wayland-0' })).toEqual(['xdg-open', url]);
    expect(browserCommand(url, 'darwin', {})).toEqual(['open', url]);
    expect(browserCommand(url, 'win32', {})?.at(-1)).toBe(url);
  });
});
