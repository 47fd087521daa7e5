// Package sshserver offers the chat to people over SSH. Each connection gets a child process of its
// own, which the kernel keeps from all files but those of its person (Landlock). There is no shell, no
// forwarding and no file transfer. It needs Linux.
package sshserver
