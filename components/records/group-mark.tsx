import { Users } from 'lucide-react';

/** What stands before the name of a group, where a person has a picture: square, so that the two are told apart. */
export function GroupMark() {
  return (
    <span
      aria-hidden="true"
      className="bg-active text-text-2 grid size-7 shrink-0 place-items-center rounded-md [&_svg]:size-4"
    >
      <Users />
    </span>
  );
}
