CREATE TABLE `api_tokens` (
	`id` text PRIMARY KEY NOT NULL,
	`created` text DEFAULT '' NOT NULL,
	`updated` text DEFAULT '' NOT NULL,
	`user_id` text NOT NULL,
	`name` text DEFAULT '' NOT NULL,
	`secret_hash` text NOT NULL,
	`hint` text DEFAULT '' NOT NULL,
	`scope` text NOT NULL,
	`expires` text DEFAULT '' NOT NULL,
	`last_used` text DEFAULT '' NOT NULL,
	`last_address` text DEFAULT '' NOT NULL,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE UNIQUE INDEX `api_tokens_secret_unique` ON `api_tokens` (`secret_hash`);--> statement-breakpoint
CREATE UNIQUE INDEX `api_tokens_user_name_unique` ON `api_tokens` (`user_id`,`name`);--> statement-breakpoint
CREATE TABLE `passkeys` (
	`id` text PRIMARY KEY NOT NULL,
	`created` text DEFAULT '' NOT NULL,
	`updated` text DEFAULT '' NOT NULL,
	`user_id` text NOT NULL,
	`name` text DEFAULT '' NOT NULL,
	`credential_id` text NOT NULL,
	`public_key` blob NOT NULL,
	`counter` integer DEFAULT 0 NOT NULL,
	`transports` text,
	`is_backed_up` integer DEFAULT false NOT NULL,
	`last_used` text DEFAULT '' NOT NULL,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE UNIQUE INDEX `passkeys_credential_unique` ON `passkeys` (`credential_id`);--> statement-breakpoint
CREATE INDEX `passkeys_user` ON `passkeys` (`user_id`);--> statement-breakpoint
CREATE TABLE `rate_limits` (
	`key` text PRIMARY KEY NOT NULL,
	`count` integer NOT NULL,
	`window_start` integer NOT NULL,
	`window_end` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `rate_limits_end` ON `rate_limits` (`window_end`);--> statement-breakpoint
CREATE TABLE `recovery_codes` (
	`code_hash` text NOT NULL,
	`user_id` text NOT NULL,
	`used` text DEFAULT '' NOT NULL,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE UNIQUE INDEX `recovery_codes_unique` ON `recovery_codes` (`user_id`,`code_hash`);--> statement-breakpoint
CREATE TABLE `totp_secrets` (
	`user_id` text PRIMARY KEY NOT NULL,
	`secret` text NOT NULL,
	`created` text DEFAULT '' NOT NULL,
	`confirmed` text DEFAULT '' NOT NULL,
	`last_step` integer DEFAULT 0 NOT NULL,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE TABLE `audit` (
	`id` text PRIMARY KEY NOT NULL,
	`created` text DEFAULT '' NOT NULL,
	`updated` text DEFAULT '' NOT NULL,
	`user` text DEFAULT '' NOT NULL,
	`user_name` text DEFAULT '' NOT NULL,
	`action` text DEFAULT '' NOT NULL,
	`outcome` text DEFAULT 'success' NOT NULL,
	`collection` text DEFAULT '' NOT NULL,
	`record` text DEFAULT '' NOT NULL,
	`record_name` text DEFAULT '' NOT NULL,
	`address` text DEFAULT '' NOT NULL,
	`user_agent` text DEFAULT '' NOT NULL,
	`via` text DEFAULT '' NOT NULL,
	`details` text
);
--> statement-breakpoint
CREATE INDEX `audit_created` ON `audit` (`created`);--> statement-breakpoint
CREATE INDEX `audit_user` ON `audit` (`user`,`created`);--> statement-breakpoint
CREATE INDEX `audit_record` ON `audit` (`record`,`created`);--> statement-breakpoint
CREATE INDEX `audit_action` ON `audit` (`action`,`created`);--> statement-breakpoint
ALTER TABLE `sessions` ADD `last_used` text DEFAULT '' NOT NULL;--> statement-breakpoint
ALTER TABLE `users` ADD `enabled` integer DEFAULT true NOT NULL;--> statement-breakpoint
ALTER TABLE `users` ADD `second_factor_since` text DEFAULT '' NOT NULL;