/** What a page asks of the server again whenever what the question holds has changed. */
export class Asked<T> {
  answer = $state<T>();
  trouble = $state(''); // why there is none to the last question; the answer before stays
  waiting = $state(false); // for longer than one notices

  /** To be made while a component is: the question is followed, and dropped with it. */
  constructor(question: (signal: AbortSignal) => Promise<T>, onanswer: () => void = () => {}) {
    $effect(() => {
      const control = new AbortController();
      const slow = setTimeout(() => (this.waiting = true), 250);
      question(control.signal)
        .then((found) => {
          this.answer = found;
          this.trouble = '';
          onanswer();
        })
        .catch((error: Error) => {
          if (!control.signal.aborted) this.trouble = error.message;
        })
        .finally(() => {
          clearTimeout(slow);
          if (!control.signal.aborted) this.waiting = false;
        });
      return () => {
        clearTimeout(slow);
        control.abort();
      };
    });
  }
}
