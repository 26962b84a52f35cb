CREATE TABLE `desired_objects` (
	`host_id` text NOT NULL,
	`kind` text NOT NULL,
	`object_id` text NOT NULL,
	`revision` integer NOT NULL,
	`spec` text
);
--> statement-breakpoint
CREATE UNIQUE INDEX `desired_objects_key` ON `desired_objects` (`host_id`,`kind`,`object_id`);--> statement-breakpoint
CREATE INDEX `desired_objects_revision` ON `desired_objects` (`host_id`,`revision`);--> statement-breakpoint
CREATE INDEX `desired_objects_object` ON `desired_objects` (`object_id`);--> statement-breakpoint
CREATE TABLE `host_identities` (
	`host_id` text PRIMARY KEY NOT NULL,
	`public_key` text NOT NULL,
	`instance_id` text DEFAULT '' NOT NULL,
	`last_seen_ms` integer DEFAULT 0 NOT NULL,
	`revision` integer DEFAULT 0 NOT NULL,
	`applied_revision` integer DEFAULT 0 NOT NULL,
	`report_sequence` integer DEFAULT 0 NOT NULL
);
--> statement-breakpoint
CREATE INDEX `host_identities_last_seen` ON `host_identities` (`last_seen_ms`);--> statement-breakpoint
CREATE TABLE `host_permissions` (
	`id` text PRIMARY KEY NOT NULL,
	`created` text DEFAULT '' NOT NULL,
	`updated` text DEFAULT '' NOT NULL,
	`user` text DEFAULT '' NOT NULL,
	`host` text DEFAULT '' NOT NULL,
	`view` integer DEFAULT false NOT NULL,
	`can_create_images` integer DEFAULT false NOT NULL,
	`can_create_workspaces` integer DEFAULT false NOT NULL,
	`can_create_bind_mounts` integer DEFAULT false NOT NULL,
	`can_create_networks` integer DEFAULT false NOT NULL,
	`can_create_volume_mounts` integer DEFAULT false NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `host_permissions_user_host_unique` ON `host_permissions` (`user`,`host`);--> statement-breakpoint
CREATE INDEX `host_permissions_host` ON `host_permissions` (`host`);--> statement-breakpoint
CREATE TABLE `hosts` (
	`id` text PRIMARY KEY NOT NULL,
	`created` text DEFAULT '' NOT NULL,
	`updated` text DEFAULT '' NOT NULL,
	`name` text DEFAULT '' NOT NULL,
	`enabled` integer DEFAULT false NOT NULL,
	`created_by` text DEFAULT '' NOT NULL,
	`environment` text DEFAULT '' NOT NULL,
	`default_runtime` text DEFAULT '' NOT NULL,
	`default_gpu_runtime` text DEFAULT '' NOT NULL,
	`registry_auths` text,
	`reverse_proxy` text,
	`nvidia_driver` text,
	`traefik` text,
	`heartbeat_interval_seconds` real DEFAULT 0 NOT NULL,
	`reconciliation_interval_seconds` real DEFAULT 0 NOT NULL,
	`pull_timeout` real DEFAULT 0 NOT NULL,
	`push_timeout` real DEFAULT 0 NOT NULL,
	`build_timeout` real DEFAULT 0 NOT NULL,
	`os` text DEFAULT '' NOT NULL,
	`platform` text DEFAULT '' NOT NULL,
	`resources` text,
	`engine` text,
	`agent_version` text DEFAULT '' NOT NULL,
	`status` text DEFAULT '' NOT NULL,
	`status_message` text DEFAULT '' NOT NULL,
	`last_heartbeat` text DEFAULT '' NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `hosts_name_unique` ON `hosts` (`name`);--> statement-breakpoint
CREATE INDEX `hosts_created` ON `hosts` (`created`);--> statement-breakpoint
CREATE TABLE `join_tokens` (
	`id` text PRIMARY KEY NOT NULL,
	`hash` text NOT NULL,
	`name` text DEFAULT '' NOT NULL,
	`created_by` text DEFAULT '' NOT NULL,
	`created` text DEFAULT '' NOT NULL,
	`expires_at_ms` integer NOT NULL,
	`uses_left` integer NOT NULL,
	`may_replace_key` integer DEFAULT false NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `join_tokens_hash_unique` ON `join_tokens` (`hash`);--> statement-breakpoint
CREATE TABLE `build_log_chunks` (
	`build` text NOT NULL,
	`sequence` integer NOT NULL,
	`text` text NOT NULL,
	PRIMARY KEY(`build`, `sequence`)
);
--> statement-breakpoint
CREATE TABLE `builds` (
	`id` text PRIMARY KEY NOT NULL,
	`created` text DEFAULT '' NOT NULL,
	`updated` text DEFAULT '' NOT NULL,
	`image` text DEFAULT '' NOT NULL,
	`host` text DEFAULT '' NOT NULL,
	`created_by` text DEFAULT '' NOT NULL,
	`number` real DEFAULT 0 NOT NULL,
	`kind` text DEFAULT '' NOT NULL,
	`status` text DEFAULT '' NOT NULL,
	`status_message` text DEFAULT '' NOT NULL,
	`queue_place` real DEFAULT 0 NOT NULL,
	`started` text DEFAULT '' NOT NULL,
	`finished` text DEFAULT '' NOT NULL,
	`image_id` text DEFAULT '' NOT NULL,
	`digest` text DEFAULT '' NOT NULL,
	`size_bytes` real DEFAULT 0 NOT NULL,
	`cancel_requested` integer DEFAULT false NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `builds_image_number_unique` ON `builds` (`image`,`number`);--> statement-breakpoint
CREATE INDEX `builds_host_status` ON `builds` (`host`,`status`);--> statement-breakpoint
CREATE INDEX `builds_created` ON `builds` (`created`);--> statement-breakpoint
CREATE TABLE `image_permissions` (
	`id` text PRIMARY KEY NOT NULL,
	`created` text DEFAULT '' NOT NULL,
	`updated` text DEFAULT '' NOT NULL,
	`user` text DEFAULT '' NOT NULL,
	`image` text DEFAULT '' NOT NULL,
	`view` integer DEFAULT false NOT NULL,
	`deploy` integer DEFAULT false NOT NULL,
	`build` integer DEFAULT false NOT NULL,
	`modify` integer DEFAULT false NOT NULL,
	`delete` integer DEFAULT false NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `image_permissions_user_image_unique` ON `image_permissions` (`user`,`image`);--> statement-breakpoint
CREATE INDEX `image_permissions_image` ON `image_permissions` (`image`);--> statement-breakpoint
CREATE TABLE `images` (
	`id` text PRIMARY KEY NOT NULL,
	`created` text DEFAULT '' NOT NULL,
	`updated` text DEFAULT '' NOT NULL,
	`name` text DEFAULT '' NOT NULL,
	`description` text DEFAULT '' NOT NULL,
	`template` integer DEFAULT false NOT NULL,
	`enabled` integer DEFAULT false NOT NULL,
	`created_by` text DEFAULT '' NOT NULL,
	`build_on` text DEFAULT '' NOT NULL,
	`creation_type` text DEFAULT '' NOT NULL,
	`dockerfile` text DEFAULT '' NOT NULL,
	`docker_image_name` text DEFAULT '' NOT NULL,
	`base_image` text DEFAULT '' NOT NULL,
	`repository` text DEFAULT '' NOT NULL,
	`tag` text DEFAULT '' NOT NULL,
	`channels` text,
	`environments` text,
	`startup_commands` text,
	`user_configuration` text,
	`force_pull_base` integer DEFAULT false NOT NULL,
	`push_after_build` integer DEFAULT false NOT NULL,
	`external` integer DEFAULT false NOT NULL,
	`status` text DEFAULT '' NOT NULL,
	`status_message` text DEFAULT '' NOT NULL,
	`image_id` text DEFAULT '' NOT NULL,
	`size_bytes` real DEFAULT 0 NOT NULL,
	`build_number` real DEFAULT 0 NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `images_repository_tag_host_unique` ON `images` (`repository`,`tag`,`build_on`) WHERE "images"."template" = 0;--> statement-breakpoint
CREATE INDEX `images_created_by` ON `images` (`created_by`);--> statement-breakpoint
CREATE INDEX `images_build_on` ON `images` (`build_on`);--> statement-breakpoint
CREATE INDEX `images_name` ON `images` (`name`);--> statement-breakpoint
CREATE INDEX `images_created` ON `images` (`created`);--> statement-breakpoint
CREATE TABLE `settings` (
	`id` text PRIMARY KEY NOT NULL,
	`created` text DEFAULT '' NOT NULL,
	`updated` text DEFAULT '' NOT NULL,
	`key` text DEFAULT '' NOT NULL,
	`value` text
);
--> statement-breakpoint
CREATE UNIQUE INDEX `settings_key_unique` ON `settings` (`key`);--> statement-breakpoint
CREATE TABLE `sessions` (
	`id` text PRIMARY KEY NOT NULL,
	`user_id` text NOT NULL,
	`expires_at` integer NOT NULL,
	`created` text DEFAULT '' NOT NULL,
	`address` text DEFAULT '' NOT NULL,
	`user_agent` text DEFAULT '' NOT NULL,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `sessions_user` ON `sessions` (`user_id`);--> statement-breakpoint
CREATE INDEX `sessions_expires` ON `sessions` (`expires_at`);--> statement-breakpoint
CREATE TABLE `users` (
	`id` text PRIMARY KEY NOT NULL,
	`created` text DEFAULT '' NOT NULL,
	`updated` text DEFAULT '' NOT NULL,
	`username` text DEFAULT '' NOT NULL,
	`email` text DEFAULT '' NOT NULL,
	`email_visibility` integer DEFAULT false NOT NULL,
	`verified` integer DEFAULT false NOT NULL,
	`name` text DEFAULT '' NOT NULL,
	`avatar` text DEFAULT '' NOT NULL,
	`is_admin` integer DEFAULT false NOT NULL,
	`language` text DEFAULT '' NOT NULL,
	`password_hash` text DEFAULT '' NOT NULL,
	`token_key` text DEFAULT '' NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `users_username_unique` ON `users` (lower("username"));--> statement-breakpoint
CREATE UNIQUE INDEX `users_email_unique` ON `users` (lower("email")) WHERE "users"."email" != '';--> statement-breakpoint
CREATE UNIQUE INDEX `users_token_key_unique` ON `users` (`token_key`);--> statement-breakpoint
CREATE INDEX `users_created` ON `users` (`created`);--> statement-breakpoint
CREATE TABLE `deployments` (
	`id` text PRIMARY KEY NOT NULL,
	`created` text DEFAULT '' NOT NULL,
	`updated` text DEFAULT '' NOT NULL,
	`workspace` text DEFAULT '' NOT NULL,
	`host` text DEFAULT '' NOT NULL,
	`created_by` text DEFAULT '' NOT NULL,
	`number` real DEFAULT 0 NOT NULL,
	`generation` real DEFAULT 0 NOT NULL,
	`action` text DEFAULT '' NOT NULL,
	`status` text DEFAULT '' NOT NULL,
	`status_message` text DEFAULT '' NOT NULL,
	`steps` text,
	`finished` text DEFAULT '' NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `deployments_workspace_number_unique` ON `deployments` (`workspace`,`number`);--> statement-breakpoint
CREATE INDEX `deployments_created` ON `deployments` (`created`);--> statement-breakpoint
CREATE TABLE `workspace_permissions` (
	`id` text PRIMARY KEY NOT NULL,
	`created` text DEFAULT '' NOT NULL,
	`updated` text DEFAULT '' NOT NULL,
	`user` text DEFAULT '' NOT NULL,
	`workspace` text DEFAULT '' NOT NULL,
	`view` integer DEFAULT false NOT NULL,
	`deploy` integer DEFAULT false NOT NULL,
	`attach` integer DEFAULT false NOT NULL,
	`modify` integer DEFAULT false NOT NULL,
	`delete` integer DEFAULT false NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `workspace_permissions_user_workspace_unique` ON `workspace_permissions` (`user`,`workspace`);--> statement-breakpoint
CREATE INDEX `workspace_permissions_workspace` ON `workspace_permissions` (`workspace`);--> statement-breakpoint
CREATE TABLE `workspaces` (
	`id` text PRIMARY KEY NOT NULL,
	`created` text DEFAULT '' NOT NULL,
	`updated` text DEFAULT '' NOT NULL,
	`name` text DEFAULT '' NOT NULL,
	`description` text DEFAULT '' NOT NULL,
	`template` integer DEFAULT false NOT NULL,
	`enabled` integer DEFAULT false NOT NULL,
	`icon` text DEFAULT '' NOT NULL,
	`created_by` text DEFAULT '' NOT NULL,
	`image` text DEFAULT '' NOT NULL,
	`host` text DEFAULT '' NOT NULL,
	`runtime` text DEFAULT '' NOT NULL,
	`gpus` text,
	`command` text DEFAULT '' NOT NULL,
	`arguments` text,
	`auto_start` integer DEFAULT false NOT NULL,
	`shm_size` real DEFAULT 0 NOT NULL,
	`cpu_limit` real DEFAULT 0 NOT NULL,
	`memory_limit` real DEFAULT 0 NOT NULL,
	`environment_variables` text,
	`port_mappings` text,
	`desired` text DEFAULT '' NOT NULL,
	`status` text DEFAULT '' NOT NULL,
	`status_message` text DEFAULT '' NOT NULL,
	`generation` real DEFAULT 0 NOT NULL,
	`observed_generation` real DEFAULT 0 NOT NULL,
	`observed_at` text DEFAULT '' NOT NULL,
	`status_since` text DEFAULT '' NOT NULL,
	`observed_ports` text,
	`container_id` text DEFAULT '' NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `workspaces_name_host_unique` ON `workspaces` (`name`,`host`);--> statement-breakpoint
CREATE INDEX `workspaces_host` ON `workspaces` (`host`);--> statement-breakpoint
CREATE INDEX `workspaces_image` ON `workspaces` (`image`);--> statement-breakpoint
CREATE INDEX `workspaces_created_by` ON `workspaces` (`created_by`);--> statement-breakpoint
CREATE INDEX `workspaces_status` ON `workspaces` (`status`);--> statement-breakpoint
CREATE INDEX `workspaces_created` ON `workspaces` (`created`);--> statement-breakpoint
CREATE INDEX `workspaces_name` ON `workspaces` (`name`);