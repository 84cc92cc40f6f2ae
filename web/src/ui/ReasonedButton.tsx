import { Button, type ButtonProps, Text } from '@mantine/core';
import { type MouseEvent, useId } from 'react';

export interface ReasonedButtonProps extends Omit<ButtonProps, 'disabled'> {
  /** Why it does nothing now; it does something when there is none. */
  reason: string | undefined;
  type?: 'button' | 'submit';
  onClick?: () => void;
}

/** A button that says beside itself why it does nothing. It can be reached by keys, so that the reason is read out. */
export function ReasonedButton({ reason, onClick, ...rest }: ReasonedButtonProps) {
  const id = useId();
  const press = (event: MouseEvent) => {
    if (reason) event.preventDefault();
    else onClick?.();
  };
  return (
    <>
      {reason ? (
        <Text id={id} size="xs" c="var(--sb-muted)">
          {reason}
        </Text>
      ) : null}
      <Button
        {...rest}
        {...(reason ? { 'aria-disabled': true, 'data-disabled': true, 'aria-describedby': id } : {})}
        onClick={press}
      />
    </>
  );
}
