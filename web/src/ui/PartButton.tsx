import classes from './PartButton.module.css';

export interface PartButtonProps {
  /** What it is about: `cart`. */
  name: string;
  onClick: (button: HTMLElement) => void;
}

/** Opens what can be done with one row of many: a plain button, as there are hundreds of them. */
export function PartButton({ name, onClick }: PartButtonProps) {
  const label = `Actions for ${name}`;
  return (
    <button
      type="button"
      className={classes.button}
      aria-label={label}
      aria-haspopup="menu"
      onClick={(event) => onClick(event.currentTarget)}
    >
      ⋯
    </button>
  );
}

/** Where a menu opens that belongs to a button. */
export function placeBelow(button: HTMLElement): { x: number; y: number } {
  const { left, bottom } = button.getBoundingClientRect();
  return { x: left, y: bottom };
}
