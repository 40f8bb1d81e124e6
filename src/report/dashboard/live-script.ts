/**
 * Runs in the browser, and is the one script that the page's policy allows. Only what differs is
 * replaced, so that what a reader has marked or scrolled stays.
 */
export const liveScript = `
const say = (text) => {
  const line = document.getElementById('live');
  if (line.textContent !== text) line.textContent = text;
};
const look = async () => {
  try {
    const answer = await fetch('/stacks', { cache: 'no-store', redirect: 'error' });
    if (!answer.ok) throw new Error(answer.status);
    const found = new DOMParser().parseFromString(await answer.text(), 'text/html');
    for (const fresh of found.querySelectorAll('main > [id]')) {
      const shown = document.getElementById(fresh.id);
      if (shown !== null && !shown.isEqualNode(fresh)) shown.replaceWith(document.importNode(fresh, true));
    }
    say('Live: it is looked at again and again.');
  } catch {
    say('Not live any more: the command that serves this page has ended or cannot be reached.');
  }
  setTimeout(look, 2000);
};
look();
`;
