/** Logs that are shown side by side at most: each is a stream of its own, and browsers open few to one server. */
export const SIDE_BY_SIDE = 4;
