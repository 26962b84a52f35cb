/** Calls back when the engine goes away, stops answering or comes back, so that the console hears of it at once. */
export function watchReachability(onChange: () => void): (state: { reachable: boolean; message: string }) => void {
  let last = '';
  return ({ reachable, message }) => {
    // While it is away its words differ from call to call.
    const news = reachable ? message : 'away';
    if (news === last) return;
    last = news;
    onChange();
  };
}
