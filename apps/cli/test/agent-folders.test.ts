import { describe, expect, it } from 'vitest';

import { findAgentFolders } from '../src/agent-folders.ts';

const MUSEPI = { path: '/home/ada/.musepi/agent', dialect: 'musepi' };
const OMP = { path: '/home/ada/.omp/agent', dialect: 'musepi' };
const DSH = { path: '/home/ada/.dsh/sessions', dialect: 'dsh' };
const PI = { path: '/home/ada/.pi/agent', dialect: 'pi' };

const find = (present: string[], env: Record<string, string> = {}) =>
  findAgentFolders('/home/ada', env, (place) => present.includes(place));

describe('findAgentFolders', () => {
  it('serves the folders that exist and names all it looked at', () => {
    expect(find([PI.path, OMP.path])).toEqual({
      roots: [OMP, PI],
      looked: [
        { path: MUSEPI.path, found: false },
        { path: OMP.path, found: true },
        { path: PI.path, found: true },
        { path: DSH.path, found: false },
      ],
    });
  });

  it('adds the folder that PI_CODING_AGENT_DIR names', () => {
    const { roots, looked } = find(['/data/agent', PI.path], { PI_CODING_AGENT_DIR: '/data/agent' });
    expect(roots).toEqual([PI, { path: '/data/agent', dialect: 'pi' }]);
    expect(looked).toHaveLength(5);
  });

  it.each([
    ['in the home folder', '', DSH.path],
    ['where DSH_HOME says', '/data/dsh', '/data/dsh/sessions'],
    ['where DSH_HOME says, from the home folder on', '~/harness', '/home/ada/harness/sessions'],
  ])('finds the sessions of DeepSeek Harness %s', (_, named, place) => {
    expect(find([place], { DSH_HOME: named }).roots).toEqual([{ path: place, dialect: 'dsh' }]);
  });

  it('looks for those without a home, too, where they are named', () => {
    expect(findAgentFolders('', { DSH_HOME: '/data/dsh' }, () => true).roots).toEqual([
      { path: '/data/dsh/sessions', dialect: 'dsh' },
    ]);
  });

  it('does not list a folder twice', () => {
    expect(find([PI.path], { PI_CODING_AGENT_DIR: '~/.pi/agent/' }).roots).toEqual([PI]);
  });

  it('looks nowhere without a home', () => {
    expect(findAgentFolders('', {}, () => true)).toEqual({ roots: [], looked: [] });
  });
});
