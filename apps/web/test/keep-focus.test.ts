import { afterEach, expect, it } from 'vitest';

import { keepFocus } from '../src/lib/ui/keep-focus.ts';

afterEach(() => document.body.replaceChildren());

function press(selector: string, button = 0): { focused: string | undefined; prevented: boolean } {
  document.body.innerHTML =
    '<div id="tree" tabindex="0"><div id="scroller" tabindex="-1"><div id="row" role="treeitem" tabindex="-1"><b>text</b></div></div></div>';
  const tree = document.querySelector<HTMLElement>('#tree')!;
  tree.addEventListener('mousedown', (event) => keepFocus(event as MouseEvent & { currentTarget: HTMLElement }));
  const event = new MouseEvent('mousedown', { bubbles: true, cancelable: true, button });
  document.querySelector(selector)!.dispatchEvent(event);
  return { focused: document.activeElement?.id, prevented: event.defaultPrevented };
}

it('gives the focus to the list when a row is pressed', () => {
  expect(press('#row b')).toEqual({ focused: 'tree', prevented: true });
});

it('leaves other places and other buttons to the browser', () => {
  expect(press('#scroller')).toEqual({ focused: '', prevented: false });
  expect(press('#row', 2)).toEqual({ focused: '', prevented: false });
});
