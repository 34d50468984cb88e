/**
 * For `onmousedown` of a list that keeps the focus and names its row (`aria-activedescendant`): a press on a row gives the
 * focus to the list. On the row itself it would be lost once the row is scrolled away and no longer drawn.
 */
export function keepFocus(event: MouseEvent & { currentTarget: HTMLElement }): void {
  const row = event.target instanceof Element ? event.target.closest('[role="treeitem"]') : null;
  if (row === null || event.button !== 0) return;
  event.preventDefault();
  event.currentTarget.focus({ preventScroll: true });
}
